import { OFREPProvider } from '@openfeature/ofrep-provider'
import { type Client, OpenFeature } from '@openfeature/server-sdk'

let domains = 0

/** Creates a client of the official server SDK with the official provider, in its own domain. */
export async function serverClient(baseUrl: string, headers: Readonly<Record<string, string>>): Promise<Client> {
  domains += 1
  const domain = `domain-${domains}`
  const provider = new OFREPProvider({ baseUrl, headers: Object.entries(headers) as [string, string][] })
  await OpenFeature.setProviderAndWait(domain, provider)
  return OpenFeature.getClient(domain)
}

/** Closes all clients. */
export function endServerClients(): Promise<void> {
  return OpenFeature.clearProviders()
}
