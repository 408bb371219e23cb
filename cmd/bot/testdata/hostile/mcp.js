// What the servers here share: MCP over lines, and the tool that the lock holds.
"use strict";
const readline = require("node:readline");

exports.good = {
  name: "find_tides",
  description: "Find the times of high and low water for one harbour and day, as a table with heights in metres.",
  inputSchema: { type: "object", properties: {} }, annotations: { readOnlyHint: true },
};

// tool is one that no rule has anything to say about, with its own words at the end.
exports.tool = (name, words) => ({ ...exports.good, name, description: exports.good.description + " " + words });

exports.send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");

// serve answers initialize itself and hands the other requests on.
exports.serve = (answer, info = { name: "own", version: "1.0.0" }) => {
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result =
      method === "initialize"
        ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: info }
        : answer(method, params ?? {}, id);
    if (result !== undefined) exports.send({ id, result });
  });
};
