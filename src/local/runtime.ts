import { dirname, join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { Failure } from './failure.ts'
import type { Settings } from './settings.ts'

export type LocalService = {
  /** Lets the terminal see what the service logs from now on: emails, warnings and errors, if `isVerbose` every line. */
  showLog(isVerbose: boolean): void
  /** Runs the bundle as it is now. */
  reload(): Promise<void>
  stop(): Promise<void>
}

const LOUD: readonly string[] = ['warn', 'error']

/** What the service logs: kept until it is shown. */
class Lines {
  #kept: string[] | null = []
  #isVerbose = false

  write(line: string, isUsual = false): void {
    if (this.#kept) this.#kept.push(line)
    else if (this.#isVerbose || !isUsual) process.stdout.write(`${line}\n`)
  }

  show(isVerbose: boolean): void {
    this.#kept = null
    this.#isVerbose = isVerbose
  }

  text(): string {
    return this.#kept?.join('\n') ?? ''
  }
}

class RuntimeLog extends Log {
  readonly #lines: Lines
  constructor(lines: Lines) {
    super(LogLevel.INFO)
    this.#lines = lines
  }

  protected override log(message: string): void {
    this.#lines.write(message, !/mf:(warn|err)|send_email/.test(message))
  }
}

/**
 * Runs the bundle in the runtime that deployments have, with `variables` besides what is configured. `wrangler dev` runs the
 * same runtime, but it passes every request through two more processes, which takes five times as much CPU.
 */
export async function startService(
  { root, stateDirectory, port, url }: Settings,
  bundle: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<LocalService> {
  const lines = new Lines()
  const { unstable_getMiniflareWorkerOptions } = await import('wrangler')
  const read = () => {
    const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml'))
    const { modulesRules, bindings, ...configured } = workerOptions
    return convertV4MiniflareOptions({
      ...configured,
      name: 'holdfast',
      host: 'localhost',
      port,
      modulesRoot: dirname(bundle),
      modules: [{ type: 'ESModule', path: bundle }],
      bindings: { ...(bindings as object), PUBLIC_URL: url, ...variables },
      // The cron is triggered by a call.
      unsafeTriggerHandlers: true,
      resourcePersistencePath: join(stateDirectory, 'v3'),
      // Where emails are files.
      resourceTmpPath: join(root, '.wrangler/tmp'),
      log: new RuntimeLog(lines),
      logRequests: false,
      handleStructuredLogs: ({ level, message }) => lines.write(message, !LOUD.includes(level)),
    })
  }
  const runtime = new Miniflare(read())
  const started = async (ready: Promise<unknown>) => {
    try {
      await ready
    } catch (error) {
      throw new Failure(`The service could not be started.\n\n${(error as Error).message}\n${lines.text()}`)
    }
  }
  await started(runtime.ready)
  return {
    showLog: (isVerbose) => lines.show(isVerbose),
    reload: () => started(runtime.setOptions(read())),
    stop: () => runtime.dispose(),
  }
}
