#!/usr/bin/env bash
# @langchain/mcp-adapters 1.1.4: what a model gets of a tool that answers with text and with structured content.
# Guess: the content of the message is the text alone, and the structure is only in `artifact`, which models do not see.
# Seen: the structure is in `artifact` and in the content, too: a string of JSON with the text and the structure.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 @langchain/mcp-adapters@1.1.4 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7
cat > server.mjs <<'CODE'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as z from 'zod'

const server = new McpServer({ name: 'rows', version: '1' })
server.registerTool('list', { inputSchema: {}, outputSchema: { rows: z.array(z.number()) } }, async () => ({
  content: [{ type: 'text', text: '3 rows.' }],
  structuredContent: { rows: [1, 2, 3] },
}))
await server.connect(new StdioServerTransport())
CODE
cat > run.mjs <<'CODE'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'

const client = new MultiServerMCPClient({
  mcpServers: { rows: { transport: 'stdio', command: process.execPath, args: ['server.mjs'] } },
})
const [tool] = await client.getTools()
const { content, artifact } = await tool.invoke({ type: 'tool_call', id: '1', name: 'list', args: {} })
console.log('content:', JSON.stringify(content))
console.log('artifact:', JSON.stringify(artifact))
await client.close()
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
content: "{\"type\":\"text\",\"text\":\"3 rows.\",\"structuredContent\":{\"rows\":[1,2,3]}}"
artifact: [{"type":"mcp_structured_content","data":{"rows":[1,2,3]}}]
SEEN
echo 'As described.'
