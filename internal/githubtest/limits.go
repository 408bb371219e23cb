package githubtest

import "time"

// Limits of GitHub that the stand-in enforces. "openapi" is the description in
// @octokit/openapi 23.0.2, "docs" is the github/docs repository.
const (
	// MaxAnnotationsPerRequest: openapi, checks/create, output.annotations.
	MaxAnnotationsPerRequest = 50
	// MaxOutputBytes limits title, summary and text of a check run. The docs say
	// 65,535 characters, the service counts bytes ("maximum bytesize"):
	// https://github.com/github/docs/issues/35252.
	MaxOutputBytes = 65535
	// MaxAnnotationTitle is in characters: openapi, checks/create.
	MaxAnnotationTitle = 255
	// MaxAnnotationMessageBytes also limits raw_details: openapi, checks/create.
	MaxAnnotationMessageBytes = 64 << 10
	// MaxCheckActions, with labels, descriptions and identifiers of at most 20, 40
	// and 20 characters: openapi, checks/create.
	MaxCheckActions           = 3
	MaxCheckActionLabel       = 20
	MaxCheckActionDescription = 40
	MaxCheckActionIdentifier  = 20
	// MaxRunsOfOneName: in a check suite GitHub keeps 1000 runs of one name and
	// deletes older ones (openapi, checks/create).
	MaxRunsOfOneName = 1000

	// MaxCommentCharacters: https://github.com/renovatebot/renovate/issues/2032.
	MaxCommentCharacters = 65536

	// MaxSARIFCompressedBytes: docs, sarif-support-for-code-scanning.md; a larger
	// file is answered with 413 (openapi).
	MaxSARIFCompressedBytes = 10 << 20
	// Counts inside a SARIF file: openapi, code-scanning/upload-sarif.
	MaxSARIFRuns               = 20
	MaxSARIFResults            = 25000
	MaxSARIFRules              = 25000
	MaxSARIFExtensions         = 100
	MaxSARIFLocationsPerResult = 1000
	// KeptSARIFResults is how many results of a run become alerts, worst first:
	// openapi, code-scanning/upload-sarif.
	KeptSARIFResults = 5000
	// MaxSARIFUploadsPerHour is per installation: openapi, code-scanning/upload-sarif.
	MaxSARIFUploadsPerHour = 1000
	// MaxSARIFNameLength and MaxSARIFDescriptionLength are of a rule: docs,
	// sarif-support-for-code-scanning.md, reportingDescriptor object.
	MaxSARIFNameLength        = 255
	MaxSARIFDescriptionLength = 1024

	// TokenLifetime of an installation token: openapi,
	// apps/create-installation-access-token.
	TokenLifetime = time.Hour
	// MaxTokenRepositories: openapi, apps/create-installation-access-token.
	MaxTokenRepositories = 500
	// MaxJWTLifetime: docs, generating-a-json-web-token-jwt-for-a-github-app.md.
	MaxJWTLifetime = 10 * time.Minute

	// PrimaryLimitPerHour per installation: docs,
	// rate-limits-for-the-rest-api.md.
	PrimaryLimitPerHour = 5000
	// ContentWritesPerMinute and ContentWritesPerHour are the secondary limits on
	// content-creating requests: docs,
	// data/reusables/rest-api/secondary-rate-limit-rest-graphql.md.
	ContentWritesPerMinute = 80
	ContentWritesPerHour   = 500

	// MaxPerPage: docs, using-pagination-in-the-rest-api.md.
	MaxPerPage = 100
	// MaxPullFiles is where the list of a pull request's files stops: openapi,
	// pulls/list-files.
	MaxPullFiles = 3000

	// DeliveryTimeout is how long GitHub waits for an answer to a delivery: docs,
	// best-practices-for-using-webhooks.md.
	DeliveryTimeout = 10 * time.Second
)
