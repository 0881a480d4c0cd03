import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  type JSONRPCRequest,
  McpError,
  type Notification,
  type Result,
  type Request as RpcRequest,
} from '@modelcontextprotocol/sdk/types.js'
import { because, type Refusal } from '../platform/http/errors.ts'
import type { AgentRequest } from './find-caller.ts'
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from './instructions.ts'
import { listTools } from './list-tools.ts'
import { NUMBERS, type ProtocolError } from './protocol-error.ts'
import { EARLIER } from './revisions.ts'
import { refuseTool, runTool } from './run-tool.ts'
import type { Room } from './size.ts'
import { errorOf } from './tool-refusal.ts'
import { findTool } from './tools/tools.ts'

/**
 * The protocol's side of one request of an earlier revision. It is the SDK's `Protocol` and not its `Server`, which brings a
 * compiler of schemas (a tenth of the bundle) for questions back to the client, and those need a session.
 */
export class McpServer extends Protocol<RpcRequest, Notification, Result> {
  readonly #agentRequest: AgentRequest
  readonly #refused: ReadonlyMap<unknown, Refusal>
  readonly #room: Room
  #before: Promise<unknown> = Promise.resolve()

  /** `refused` are the messages, by their ids, that were too many. */
  constructor(request: AgentRequest, refused: ReadonlyMap<unknown, Refusal>, room: Room) {
    super()
    this.#agentRequest = request
    this.#refused = refused
    this.#room = room
    // Every request is judged in one place. What would be cancelled is of another request of its own.
    this.removeRequestHandler('ping')
    this.removeNotificationHandler('notifications/cancelled')
    this.fallbackRequestHandler = (request) => this.#inTurn(() => this.#answer(request))
  }

  /** One message after another, so that a batch takes no more memory than its largest answer and what is answered already. */
  #inTurn(answer: () => Promise<Result>): Promise<Result> {
    const mine = this.#before.then(answer)
    this.#before = mine.catch(() => undefined)
    return mine
  }

  async #answer({ id, method, params = {} }: JSONRPCRequest): Promise<Result> {
    const refusal = this.#refused.get(id)
    if (method === 'tools/call') {
      if (refusal) return refuseTool(this.#agentRequest, refusal)
      const { tool, wrong } = findTool(params.name)
      if (wrong) throw this.#error(wrong)
      return runTool(this.#agentRequest, tool, params.arguments ?? {}, this.#room)
    }
    if (refusal) throw this.#error({ number: NUMBERS.invalidRequest, refusal })
    switch (method) {
      case 'initialize':
        return introduced(params.protocolVersion)
      case 'ping':
        return {}
      case 'tools/list':
        return { tools: listTools(this.#agentRequest.caller) }
      default:
        throw this.#error({ number: NUMBERS.methodNotFound, refusal: because('no_method') })
    }
  }

  #error(wrong: ProtocolError): McpError {
    const { env, requestId } = this.#agentRequest
    const { code, message, data } = errorOf(wrong, env.PUBLIC_URL, requestId)
    return new McpError(code, message, data)
  }

  // The server requests nothing from clients and sends no notifications, so their capabilities do not matter.
  protected assertCapabilityForMethod(): void {}
  protected assertNotificationCapability(): void {}
  protected assertRequestHandlerCapability(): void {}
  protected assertTaskCapability(): void {}
  protected assertTaskHandlerCapability(): void {
    throw new McpError(NUMBERS.invalidParams, 'There are no tasks: every call is answered at once.')
  }
}

/** The newest of these that both sides know. A revision without `initialize` is not among them. */
function introduced(asked: unknown): Result {
  const protocolVersion = EARLIER.find((one) => one === asked) ?? EARLIER[0]
  return {
    protocolVersion,
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  }
}
