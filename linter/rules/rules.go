// Package rules holds the rules: one file a rule, its metadata and its check.
// [All] is the one list of them.
package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
)

// All returns every rule in registry order: the second seed's order, which
// decides ties between its findings, then the others.
func All() []linter.Rule {
	return []linter.Rule{
		missingInputSchema,
		invalidInputSchema,
		invalidOutputSchema,
		missingParamDescription,
		untypedParam,
		unknownRequired,
		missingDescription,
		shortDescription,
		longDescription,
		vagueDescription,
		instructionPhrases,
		hiddenUnicode,
		hiddenMarkup,
		sensitiveReference,
		shellExec,
		fileWrite,
		unconstrainedNetwork,
		missingAnnotations,
		invalidToolName,
		duplicateName,
		inconsistentStyle,

		overrideOtherTools,
		mixedScript,
		vagueParam,
		overlap,
		servicePrefix,
		tokenBudget,
		largeDefinition,
		unboundedList,
		invalidDefinition,
		invalidURI,
		undescribedResource,
		undescribedArgument,
		annotationType,
		unknownAnnotation,
		hintContradiction,
		defaultMismatch,
		openAPIKeyword,
		duplicateKey,
		loneSurrogate,
		tooDeep,

		rootCombinator,
		outputRootType,
		arrayItems,
		objectProperties,
		propertyKey,
		clientToolName,
		typeList,
		nullableUnion,
		booleanSchema,
		enumNotString,
		enumEmptyMember,
		enumWithoutType,
		textFormat,
		dialectRule,
		recursiveRef,
		refRule,
		descriptionLength,
		clientToolCount,
		headerAnnotation,

		knownBad,
		unpinned,
		unpinnedSource,
		noDigest,
		noHashes,
		unreadableEntry,
		unparsedCommand,

		plainTextSecret,
		cleartextURL,
		duplicateEntryKey,
		autoApprove,

		repeatedSecret,
		stdoutNoise,
		malformedHTTP,
		malformedHandshake,
		protocolVersion,
		brokenPaging,
		unstableList,
		refusedList,
		undeclaredRequest,
		unrequestedAnswer,

		expiredSuppression,
		unusedSuppression,
	}
}

// Specifications and reports that several rules refer to.
const (
	toolsSpec    = "https://modelcontextprotocol.io/specification/2025-11-25/server/tools"
	schemaSpec   = "https://json-schema.org/draft/2020-12/json-schema-core"
	toolGuide    = "https://www.anthropic.com/engineering/writing-tools-for-agents"
	jsonSpec     = "https://www.rfc-editor.org/rfc/rfc8259"
	firstVersion = "0.1.0"
)
