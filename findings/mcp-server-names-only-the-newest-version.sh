#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0: a server for both eras names only 2026-07-28 as supported, though it answers earlier versions.
# Guess: `supportedVersions` of `server/discover` and `data.supported` of -32022 list every version that the endpoint speaks. Seen:
# both list 2026-07-28 alone, and `initialize` with 2025-06-18 is answered all the same.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 @modelcontextprotocol/server@2.4.0
cat > run.mjs <<'CODE'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'

const handler = createMcpHandler(() => new McpServer({ name: 'both', version: '1' }))
async function post(method, params, headers) {
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await (await handler.fetch(request)).text()
  return JSON.parse(text.match(/\{.*\}/)[0])
}
const modern = (version) => ({
  _meta: { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} },
})
const headers = (version) => ({ 'MCP-Protocol-Version': version, 'Mcp-Method': 'server/discover' })
const found = await post('server/discover', modern('2026-07-28'), headers('2026-07-28'))
console.log('discover:', found.result.supportedVersions.join())
const unknown = await post('server/discover', modern('2099-01-01'), headers('2099-01-01'))
console.log('unknown:', unknown.error.code, unknown.error.data.supported.join())
const clientInfo = { name: 'old', version: '1' }
const old = await post('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }, {})
console.log('initialize:', old.result.protocolVersion)
process.exit(0)
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
discover: 2026-07-28
unknown: -32022 2026-07-28
initialize: 2025-06-18
SEEN
echo 'As described.'
