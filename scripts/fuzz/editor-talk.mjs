const uri = "file:///packs/one.pack.yaml";
const position = { line: 0, character: 0 };
const everywhere = { start: position, end: { line: 9_999, character: 0 } };

/** What an editor says that has this text open: most often in order, sometimes not quite what the protocol asks for. */
export function editorTalk(random, text) {
  const textDocument = { uri, languageId: "yaml", version: 1, text };
  const change = { range: random.chance(80) ? everywhere : { start: everywhere.end, end: position }, text };
  const messages = [
    { id: 1, method: "initialize", params: { processId: null, rootUri: "file:///packs", capabilities: {} } },
    { method: "initialized", params: {} },
    { method: "textDocument/didOpen", params: { textDocument } },
    {
      method: "textDocument/didChange",
      params: { textDocument: { uri, version: 2 }, contentChanges: [change] },
    },
    { id: 2, method: "textDocument/codeAction", params: request(random, ["quickfix"]) },
    { id: 3, method: "textDocument/codeAction", params: request(random, ["source.fixAll"]) },
    { id: 4, method: "textDocument/definition", params: place(random, text) },
    { id: 5, method: "textDocument/references", params: { ...place(random, text), context: {} } },
    { method: "textDocument/didSave", params: { textDocument: { uri } } },
    { method: "textDocument/didClose", params: { textDocument: { uri } } },
    { id: 6, method: "shutdown" },
    { method: "exit" },
  ];
  const said = messages.filter(() => random.chance(93));
  return Buffer.concat(said.map((message) => framed(random, message)));
}

function request(random, only) {
  const textDocument = { uri: random.chance(95) ? uri : random.pick(["", "untitled:x", "file://%"]) };
  return {
    textDocument,
    range: everywhere,
    context: { diagnostics: [], ...(random.chance(70) && { only }) },
  };
}

function place(random, text) {
  const lines = text.split("\n");
  const line = random.below(lines.length + 2);
  return {
    textDocument: { uri },
    position: { line, character: random.below((lines[line] ?? "").length + 9) },
  };
}

function framed(random, message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const length = random.chance(98) ? body.length : random.pick([0, body.length - 1, body.length + 9]);
  return Buffer.concat([Buffer.from(`Content-Length: ${length}\r\n\r\n`), body]);
}
