package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
)

// verdictCase is a tool and what one rule has to say about it.
type verdictCase struct {
	name, tool string
	// want is "severity path" of each finding, joined by commas.
	want string
}

// checkVerdicts lints each tool alone under preset recommended.
func checkVerdicts(t *testing.T, rule string, cases []verdictCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := mustParse(t, []byte("["+tt.tool+"]"))
			s.Key = "key"
			var got []string
			for _, f := range mustLinter(t, linter.Config{}).Lint(s).Findings {
				if f.Rule == rule {
					got = append(got, f.Severity.String()+" "+f.Path)
				}
			}
			if joined := strings.Join(got, ","); joined != tt.want {
				t.Errorf("got %q; want %q", joined, tt.want)
			}
		})
	}
}

// withParam writes a definition with one parameter.
func withParam(name, description, param, schema string) string {
	return `{"name":"` + name + `","description":"` + description + `","inputSchema":{"type":"object","properties":{"` + param + `":` + schema + `}}}`
}

const anyString = `{"type":"string"}`

func TestShellExec(t *testing.T) {
	t.Parallel()
	const at = " /inputSchema/properties/"
	checkVerdicts(t, "capability/shell-exec", []verdictCase{
		{"a command line", withParam("run_command", "Runs a command on the machine.", "command", anyString), "warning" + at + "command"},
		{"shell in the description", withParam("do_task", "Executes a task in a bash shell.", "cmd", anyString), "warning" + at + "cmd"},
		{"said by the parameter", withParam("maintenance", "Helps with the pumps.", "commandLine", `{"type":"string","description":"Command line to execute."}`), "warning" + at + "commandLine"},
		{"a list of commands", withParam("run_commands", "Runs commands one after the other.", "commands", `{"type":"array","items":{"type":"string"}}`), "warning" + at + "commands"},
		{"argument vector", withParam("pod_exec", "Executes in the pod.", "argv", `{"type":"array","items":{"type":"string"},"description":"Command and its arguments."}`), "warning" + at + "argv"},
		{"arguments of a program", withParam("git", "Runs git.", "args", `{"type":"string","description":"Arguments of the git command."}`), "warning" + at + "args"},
		{"code", withParam("evaluate", "Evaluates JavaScript and returns the result.", "code", anyString), "warning" + at + "code"},
		{"code in a page", withParam("evaluate", "Evaluates JavaScript in the page.", "code", anyString), "info" + at + "code"},
		{"code in a page, said by the parameter", withParam("go_to", "Goes to an address.", "script", `{"type":"string","description":"Script to run on every new document."}`), "info" + at + "script"},
		{"code for a page or a shell", withParam("interact", "Works with a page: runs code in the page or in Bash.", "code", anyString), "warning" + at + "code"},
		{"an expression that is code", withParam("debug", "Looks at the paused program.", "expression", `{"type":"string","description":"Python expression to evaluate."}`), "warning" + at + "expression"},
		{"nested", `{"name":"batch","description":"Works off a list.","inputSchema":{"type":"object","properties":{"steps":{"type":"array","items":{"type":"object","properties":{"script":{"type":"string","description":"Shell script to run."}}}}}}}`, "warning /inputSchema/properties/steps/items/properties/script"},
		{"a pattern for show", withParam("run_command", "Runs a command on the machine.", "command", `{"type":"string","pattern":"^.*$"}`), "warning" + at + "command"},
		{"a pattern of any length", withParam("run_command", "Runs a command on the machine.", "command", `{"type":"string","pattern":"^[\\s\\S]{1,4096}$"}`), "warning" + at + "command"},
		{"text or null", withParam("run_command", "Runs a command on the machine.", "command", `{"anyOf":[{"type":"string"},{"type":"null"}]}`), "warning" + at + "command"},
		{"one finding a tool", `{"name":"run_command","description":"Runs a command in a shell.","inputSchema":{"type":"object","properties":{"command":{"type":"string"},"shell":{"type":"string"}}}}`, "warning" + at + "command"},
		{"any schema at all", withParam("run_command", "Runs a command on the machine.", "command", `true`), "warning" + at + "command"},
		{"a list of types", withParam("run_command", "Runs a command on the machine.", "cmdline", `{"type":["array","null"],"items":{"type":"string"}}`), "warning" + at + "cmdline"},
		{"two words", withParam("maintain", "Executes what it is given.", "command_line", anyString), "warning" + at + "command_line"},
		{"SQL that writes", withParam("execute_sql", "Executes a SQL statement, INSERT and DELETE included.", "sql", anyString), "info" + at + "sql"},
		{"SQL in a query", withParam("run_query", "Runs a query on the MySQL server.", "query", anyString), "info" + at + "query"},

		{"an enum", withParam("run_command", "Runs a command on the machine.", "command", `{"type":"string","enum":["sync"]}`), ""},
		{"a pattern", withParam("run_command", "Runs a command on the machine.", "command", `{"type":"string","pattern":"^sync(-[a-z]+)?$"}`), ""},
		{"a number or null", withParam("run_command", "Runs a command on the machine.", "command", `{"anyOf":[{"type":"integer"},{"type":"null"}]}`), ""},
		{"a sub-command", withParam("storage", "Manages the stores of the cloud over its CLI.", "command", `{"type":"string","description":"The command to execute against the specified tool."}`), ""},
		{"a query that is no shell", withParam("execute_search_query", "Executes a search over the catalogue.", "query", anyString), ""},
		{"SQL that reads", withParam("run_query", "Runs a read-only SQL query.", "sql", anyString), ""},
		{"SQL that only selects", withParam("execute_query", "Executes a SELECT statement on the SQLite file.", "query", anyString), ""},
		{"SQL of a tool that reads", withParam("read_rows", "Reads the rows that running the SQL gives.", "sql", anyString), ""},
		{"a query of another language", withParam("run_query", "Runs a GraphQL query.", "query", anyString), ""},
		{"SQL that is not run", withParam("format_text", "Formats text.", "sql", anyString), ""},
		{"a command that is not run", withParam("explain", "Explains a shell command.", "command", anyString), ""},
		{"a definition elsewhere", `{"name":"run_command","description":"Runs a command.","inputSchema":{"type":"object","properties":{"command":{"$ref":"#/$defs/Command"}},"$defs":{"Command":{"enum":["a"]}}}}`, ""},
		{"SQL behind a hint", `{"name":"execute_sql","description":"Executes SQL.","inputSchema":{"type":"object","properties":{"sql":{"type":"string"}}},"annotations":{"readOnlyHint":true}}`, ""},
		{"the name of a script", withParam("run_script", "Runs a script of the package.", "script", `{"type":"string","description":"The name of the script to run."}`), ""},
		{"a sandbox", withParam("run_code", "Runs Python code in a sandbox without network.", "code", anyString), ""},
		{"a code of a country", withParam("run_report", "Runs the report of one country.", "country_code", `{"type":"string","description":"Two letters."}`), ""},
		{"a calculator", withParam("calculate", "Evaluates an arithmetic expression.", "expression", `{"type":"string","description":"Like 2*(3+4)."}`), ""},
		{"a script that is stored", withParam("put_worker", "Creates or updates a worker.", "script", `{"type":"string","description":"Text of the worker."}`), ""},
		{"arguments of an app", withParam("launch_app", "Launches the app on the simulator.", "launchArgs", `{"type":"array","items":{"type":"string"},"description":"Arguments for the app."}`), ""},
		{"a name alone", withParam("open_terminal", "Lists the berths of the ferry terminal.", "terminal", anyString), ""},
	})
}

func TestUnconstrainedFileWrite(t *testing.T) {
	t.Parallel()
	const at = "warning /inputSchema/properties/"
	checkVerdicts(t, "capability/unconstrained-file-write", []verdictCase{
		{"verb and noun", withParam("write_file", "Writes a text to a file.", "path", anyString), at + "path"},
		{"inflected verb", withParam("deletes_file", "Deletes a file.", "path", anyString), at + "path"},
		{"adding to a file", withParam("insert_lines", "Inserts lines into a file.", "file_path", anyString), at + "file_path"},
		{"setting in a file", withParam("set_value", "Sets a value in a settings file.", "filePath", anyString), at + "filePath"},
		{"camel case", withParam("export_chart", "Exports the chart as a file.", "outputPath", anyString), at + "outputPath"},
		{"a new file of an export", withParam("export_rows", "Exports rows as CSV.", "file", `{"type":"string","description":"CSV file to create."}`), at + "file"},
		{"a list of paths", withParam("delete_files", "Deletes files.", "paths", `{"type":"array","items":{"type":"string"}}`), at + "paths"},
		{"said by the parameter", withParam("take_picture", "Takes a picture of the quay.", "filePath", `{"type":"string","description":"Where to save it; absolute or relative."}`), at + "filePath"},
		{"a download", withParam("download_file", "Downloads a file of the port authority.", "destination", `{"type":"string"}`), at + "destination"},
		{"save to", withParam("record_video", "Records the quay.", "saveTo", `{"type":"string","description":"Path to write the video to."}`), at + "saveTo"},
		{"an undescribed output", withParam("manage_picture", "Does what is asked of it.", "output_path", anyString), at + "output_path"},
		{"a pattern for show", withParam("write_file", "Writes a text to a file.", "path", `{"type":"string","pattern":".*"}`), at + "path"},
		{"a target that is a file", withParam("copy_file", "Copies a file.", "target", anyString), at + "target"},
		{"the output among inputs", `{"name":"merge_scans","description":"Merges scans into one file.","inputSchema":{"type":"object","properties":{"pdf_paths":{"type":"array","items":{"type":"string"}},"output_path":{"type":"string"}}}}`, at + "output_path"},
		{"a folder to save in", withParam("add_torrent", "Adds a torrent.", "folder", `{"type":"string","description":"Folder to save the files in."}`), at + "folder"},
		{"one word", withParam("dump", "Dumps the log as a file.", "outfile", anyString), at + "outfile"},
		{"several at once", `{"name":"take_both","description":"Takes two pictures and saves them as files.","inputSchema":{"type":"object","properties":{"output_file":{"type":"string"},"export_dir":{"type":"string"}}}}`, "warning /inputSchema"},

		{"a reader", withParam("read_file", "Reads a file.", "path", anyString), ""},
		{"a limit in the schema", withParam("write_file", "Writes a text to a file.", "path", `{"type":"string","pattern":"^notes/[a-z]+$"}`), ""},
		{"a limit in the description", withParam("write_file", "Writes a file. Only works within the allowed directories.", "path", anyString), ""},
		{"a relative path", withParam("write_file", "Writes a file.", "path", `{"type":"string","description":"Path relative to the notes folder."}`), ""},
		{"a document of an edit tool", withParam("create_sheet", "Adds a sheet to the workbook.", "path", `{"type":"string","description":"Workbook."}`), ""},
		{"a target of no file", withParam("update_goal", "Updates the goal of the month.", "target", `{"type":"string","description":"Tonnes to move."}`), ""},
		{"an output that is described as something else", withParam("plot", "Plots levels.", "output_dir", `{"type":"string","description":"Left or right!"}`), ""},
		{"a destination of a ship", withParam("set_route", "Sets the route of a ship.", "destination", `{"type":"string","description":"Harbour to sail to."}`), ""},
		{"a file in a repository", withParam("create_file", "Creates a file in the repository and commits it.", "path", `{"type":"string","description":"Path in the repository."}`), ""},
		{"a folder of letters", withParam("move_letter", "Moves a letter to another folder.", "folder", `{"type":"string","description":"Folder of the mailbox."}`), ""},
		{"a folder of bookmarks", withParam("add_folder", "Adds a folder to the list.", "folder", anyString), ""},
		{"a file that is sent", withParam("upload_file", "Uploads a file to the ticket.", "file_path", `{"type":"string","description":"File to upload."}`), ""},
		{"a target that is read", withParam("search_code", "Searches the files below a folder.", "target_dir", `{"type":"string","description":"Directory to search."}`), ""},
		{"whom to reply to", withParam("write_letter", "Writes a letter.", "reply_to", anyString), ""},
		{"content, not a path", withParam("update_file", "Updates an attached file.", "file", `{"type":"string","description":"Content in base64."}`), ""},
		{"a source", withParam("import_csv", "Imports a file into the sheet.", "source_path", anyString), ""},
	})
}

func TestUnconstrainedNetwork(t *testing.T) {
	t.Parallel()
	const at = "warning /inputSchema/properties/"
	checkVerdicts(t, "capability/unconstrained-network", []verdictCase{
		{"a page", withParam("fetch_page", "Fetches a web page.", "url", anyString), at + "url"},
		{"pages to read", withParam("extract", "Gives the text of pages.", "urls", `{"type":"array","items":{"type":"string"},"description":"URLs to extract text from."}`), at + "urls"},
		{"page_url", withParam("summarise", "Downloads a page and sums it up.", "page_url", anyString), at + "page_url"},
		{"imageUrl", withParam("resize", "Resizes a picture.", "imageUrl", `{"type":"string","description":"Where to download the picture from."}`), at + "imageUrl"},
		{"a list", withParam("scrape_all", "Scrapes pages.", "urls", `{"type":"array","items":{"type":"string"}}`), at + "urls"},
		{"a picture that is worked on", withParam("describe_picture", "Describes what is on a picture.", "image_url", `{"type":"string","description":"URL of the picture."}`), at + "image_url"},
		{"a request", withParam("call_service", "Makes an HTTP request.", "url", anyString), at + "url"},
		{"a webhook", withParam("watch", "Watches the water level.", "webhookUrl", anyString), at + "webhookUrl"},
		{"a callback", withParam("start_job", "Starts a job.", "callback", `{"type":"string","description":"URL that is notified at the end."}`), at + "callback"},
		{"a proxy", withParam("browse", "Opens the page.", "proxy", `{"type":"string","description":"Address of the proxy to connect through."}`), at + "proxy"},
		{"a site", withParam("audit", "Looks for broken links.", "site", `{"type":"string","description":"Website to crawl."}`), at + "site"},
		{"any format uri", withParam("load_feed", "Loads a feed.", "feed", `{"type":"string","format":"uri"}`), at + "feed"},
		{"text or list", withParam("fetch_page", "Fetches web pages.", "url", `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`), at + "url"},
		{"a pattern without a host", withParam("fetch_page", "Fetches a web page.", "url", `{"type":"string","pattern":"^https?://.+"}`), at + "url"},
		{"declared", `{"name":"fetch_page","description":"Fetches a web page.","inputSchema":{"type":"object","properties":{"url":{"type":"string"}}},"annotations":{"openWorldHint":true}}`, "info /inputSchema/properties/url"},

		{"a webhook by its own name", withParam("watch", "Watches the water level.", "webhook", anyString), at + "webhook"},
		{"a pattern that tells nothing", withParam("fetch_page", "Fetches a web page.", "url", `{"type":"string","pattern":"\\S{5,}"}`), at + "url"},

		{"a pattern with another scheme", withParam("fetch_page", "Fetches a page.", "url", `{"type":"string","pattern":"^ftp://port\\.example/"}`), ""},
		{"a pattern with a host", withParam("fetch_page", "Fetches a page.", "url", `{"type":"string","pattern":"^https://port\\.example/"}`), ""},
		{"a limit in words", withParam("fetch_page", "Fetches a page.", "url", `{"type":"string","description":"Page to fetch; private addresses are refused."}`), ""},
		{"one host in words", withParam("read_manual", "Fetches a page of the manual.", "url", `{"type":"string","description":"Page below https://manual.port.com/docs."}`), ""},
		{"a path of an API", withParam("api_request", "Makes a request to the API of the port.", "endpoint", `{"type":"string","description":"Path below the base, like /berths."}`), ""},
		{"the host of a database", withParam("analyse_schema", "Reads the schema of a database.", "hostname", `{"type":"string","description":"Host of the MySQL database to connect to."}`), ""},
		{"a topic", withParam("search_recipes", "Searches recipes.", "domain", `{"type":"string","description":"Field of cooking, like baking."}`), ""},
		{"a data URI", withParam("compress", "Compresses a picture.", "image", `{"type":"string","format":"uri","description":"Picture as a data URI."}`), ""},
		{"a data URI to work on", withParam("gzip", "Compresses a file.", "data", `{"type":"string","format":"uri","description":"URL or data URI of the content to compress."}`), ""},
		{"a picture that is shown", withParam("update_user", "Updates a user.", "avatar_url", `{"type":"string","description":"URL of the avatar."}`), ""},
		{"a request that is described", withParam("add_request", "Adds a request to a collection.", "url", `{"type":"string","description":"The request's URL."}`), ""},
		{"a link that is stored", withParam("add_bookmark", "Adds a bookmark to the list.", "url", `{"type":"string","description":"Address to keep."}`), ""},
		{"a link that is looked for", withParam("find_notes", "Finds notes by a link in them.", "link", `{"type":"string","format":"uri","description":"Link to search for."}`), ""},
	})
}

// What a parameter gives power over is one thing to decide on a server, also
// where each tool puts it in other words.
func TestPowersOfManyToolsAreOneFinding(t *testing.T) {
	t.Parallel()
	document := `{"tools":[` +
		withParam("take_picture", "Takes a picture of the quay.", "filePath", `{"type":"string","description":"Where to save the picture."}`) + `,` +
		withParam("record_sound", "Records the fog horn.", "filePath", `{"type":"string","description":"File to save the recording to."}`) + `,` +
		withParam("dump_log", "Dumps the log.", "filePath", `{"type":"string","description":"Path to write the log to."}`) + `,` +
		withParam("draw_chart", "Draws a chart.", "output_path", `{"type":"string","description":"File to write."}`) + `]}`
	got := places(lintTool(t, linter.Config{}, "key", document), "capability/unconstrained-file-write")
	want := []string{
		"warning /inputSchema/properties/output_path",
		"warning /tools/take_picture/inputSchema/properties/filePath",
		"warning /tools/record_sound/inputSchema/properties/filePath",
		"warning /tools/dump_log/inputSchema/properties/filePath",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}
