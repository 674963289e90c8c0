import { UnleashClient } from 'unleash-proxy-client'
import { FLAG, readConfig, shownText } from './setup.ts'

const place = document.querySelector('#root')
const client = new UnleashClient(readConfig())
const show = () => {
  if (place !== null) place.textContent = shownText(client.isEnabled(FLAG), client.getVariant(FLAG).name)
}
client.on('ready', show)
client.on('update', show)
client.on('impression', (event: unknown) => window.seen.impressions.push(event))
client.on('error', (error: unknown) => window.seen.errors.push(error instanceof Error ? { type: error.name } : error))
await client.start()
