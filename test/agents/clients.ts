import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The endpoint and the key with which a client acts; null without a key. */
export type Door = { readonly url: string; readonly key: string | null }

/** A client that somebody else wrote, connected. */
export type AgentClient = {
  readonly toolNames: () => Promise<readonly string[]>
  /** The structured content of an answer. */
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => Promise<any>
  readonly close: () => Promise<void>
}

export type Kind = {
  /** With its version. */
  readonly name: string
  readonly connect: (door: Door) => Promise<AgentClient>
}

const here = createRequire(join(import.meta.dirname, 'package.json'))
/** The packages of this folder are installed for it alone, so their types are not known elsewhere. */
const load = (name: string): Promise<any> => import(here.resolve(name))
const run = promisify(execFile)

const headersOf = ({ key }: Door): Record<string, string> =>
  key === null ? {} : { Authorization: `Bearer ${key}` }

/** The structure, or the text, which is JSON in clients that pass no structure on. */
function contentOf(answer: any): any {
  return answer.structuredContent ?? JSON.parse(answer.content[0].text)
}

function named(name: string, of: string): string {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'node_modules', of, 'package.json'), 'utf8'),
  )
  return `${name} ${version}`
}

export const KINDS: readonly Kind[] = [
  {
    name: named('AI SDK', '@ai-sdk/mcp'),
    connect: async (door) => {
      const { createMCPClient } = await load('@ai-sdk/mcp')
      const client = await createMCPClient({
        transport: { type: 'http', url: door.url, headers: headersOf(door) },
      })
      const tools = await client.tools()
      return {
        toolNames: async () => Object.keys(tools),
        call: async (name, args) =>
          contentOf(await tools[name].execute(args, { toolCallId: name, messages: [], context: {} })),
        close: () => client.close(),
      }
    },
  },
  {
    name: named('LangChain', '@langchain/mcp-adapters'),
    connect: async (door) => {
      const { MultiServerMCPClient } = await load('@langchain/mcp-adapters')
      const client = new MultiServerMCPClient({
        mcpServers: { holdfast: { transport: 'http', url: door.url, headers: headersOf(door) } },
      })
      const tools: any[] = await client.getTools()
      return {
        toolNames: async () => tools.map(({ name }) => name),
        call: async (name, args) => {
          const tool = tools.find((each) => each.name === name)
          const call = { type: 'tool_call', id: name, name, args }
          const { artifact } = await tool.invoke(call)
          return artifact.find(({ type }: { type: string }) => type === 'mcp_structured_content').data
        },
        close: () => client.close(),
      }
    },
  },
  {
    name: named('mcp-remote', 'mcp-remote'),
    connect: async (door) => {
      const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
      const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
      const client = new Client({ name: 'mcp-remote', version: '1' })
      const headers = Object.entries(headersOf(door)).flatMap(([name, value]) => [
        '--header',
        `${name}:${value}`,
      ])
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [bin('mcp-remote'), door.url, '--allow-http', '--transport', 'http-only', ...headers],
          stderr: 'ignore',
        }),
      )
      return {
        toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: async (name, args) => contentOf(await client.callTool({ name, arguments: args })),
        close: () => client.close(),
      }
    },
  },
  {
    name: named('mcporter', 'mcporter'),
    connect: async (door) => {
      const server = ['--http-url', door.url, '--allow-http', '--name', 'holdfast']
      const headers = Object.entries(headersOf(door)).flatMap(([name, value]) => [
        '--header',
        `${name}=${value}`,
      ])
      const mcporter = async (...args: readonly string[]) => {
        const { stdout } = await run(process.execPath, [bin('mcporter'), ...args], {
          maxBuffer: 64 * 1024 * 1024,
        })
        return JSON.parse(stdout)
      }
      return {
        toolNames: async () =>
          (await mcporter('list', ...server, ...headers, '--json')).tools.map(
            ({ name }: { name: string }) => name,
          ),
        call: async (name, args) =>
          // As JSON it prints the structure itself.
          mcporter(
            'call',
            ...server,
            ...headers,
            '--tool',
            name,
            '--args',
            JSON.stringify(args),
            '--output',
            'json',
          ),
        close: async () => {},
      }
    },
  },
]

function bin(name: string): string {
  return join(import.meta.dirname, 'node_modules/.bin', name)
}
