/** What a worker of a browser has, for Node. */
"use strict";

var WorkerGlobalScope = Object, onmessage = null, heard = [];
function postMessage(message) { heard.push(message); }
