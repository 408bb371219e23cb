// A small MCP server over stdio without dependencies: notes of a harbour office.
"use strict";
const readline = require("node:readline");

const tools = [
  {
    name: "notes_search",
    description:
      "Search the harbour office's notes by words and date, and return one line a note with its number, date and first sentence.",
    inputSchema: {
      type: "object",
      properties: {
        words: { type: "string", description: "Words that all must occur, for example 'pilot boat'." },
        since: { type: "string", format: "date", description: "Only notes from this day on, as YYYY-MM-DD." },
        limit: { type: "integer", minimum: 1, maximum: 100, description: "How many notes to return at most." },
      },
      required: ["words"],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "notes_read",
    description:
      "Read one note of the harbour office in full, given its number, with its author, date and the ships that it names.",
    inputSchema: {
      type: "object",
      properties: { note_number: { type: "integer", description: "Number of the note, as notes_search gives it." } },
      required: ["note_number"],
    },
    annotations: { readOnlyHint: true },
  },
];

const answers = {
  initialize: () => ({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "harbour-notes", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools }),
  ping: () => ({}),
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body = answer ? { result: answer() } : { error: { code: -32601, message: "method not found" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\n");
});
