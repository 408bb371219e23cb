// The well-behaved server of every base.
"use strict";
const { good, serve } = require("./mcp.js");
serve(() => ({ tools: [good] }));
