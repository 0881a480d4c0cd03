import { startProvider } from './provider.ts'

/** The double listens where the configuration of the tests says that the provider is. */
export default async function setup(): Promise<() => Promise<void>> {
  const provider = await startProvider(Number(process.env.PROVIDER_PORT))
  return provider.stop
}
