import type { Sdk } from './sdk.ts'

/** Web SDKs, with the same code as docs/sdks/web.md. A test keeps both in sync. */
export const WEB_SDKS: readonly Sdk[] = [
  {
    id: 'javascript',
    name: 'JavaScript',
    group: 'web',
    kind: 'frontend',
    install: 'npm install unleash-proxy-client',
    files: [
      {
        code: `import { UnleashClient } from 'unleash-proxy-client'

const flags = new UnleashClient({
  url: 'http://localhost:4242/api/frontend',
  clientKey: '<frontend token>',
  appName: 'my-page',
  context: { userId: '42' },
})
flags.on('update', () => console.log(flags.isEnabled('new-checkout'), flags.getVariant('new-checkout').name))
await flags.start()`,
      },
    ],
  },
  {
    id: 'react',
    name: 'React',
    group: 'web',
    kind: 'frontend',
    install: 'npm install @unleash/proxy-client-react',
    files: [
      {
        code: `import { FlagProvider, useFlag, useVariant } from '@unleash/proxy-client-react'

const config = {
  url: 'http://localhost:4242/api/frontend',
  clientKey: '<frontend token>',
  appName: 'my-page',
  context: { userId: '42' },
}

function Checkout() {
  const isNew = useFlag('new-checkout')
  const variant = useVariant('new-checkout')
  return <p>{isNew ? \`The new one, \${variant.name}\` : 'The old one'}</p>
}

export function App() {
  return (
    <FlagProvider config={config}>
      <Checkout />
    </FlagProvider>
  )
}`,
      },
    ],
  },
  {
    id: 'vue',
    name: 'Vue',
    group: 'web',
    kind: 'frontend',
    install: 'npm install @unleash/proxy-client-vue',
    files: [
      {
        code: `import { FlagProvider, useFlag } from '@unleash/proxy-client-vue'
import { defineComponent, h } from 'vue'

const config = {
  url: 'http://localhost:4242/api/frontend',
  clientKey: '<frontend token>',
  appName: 'my-page',
  context: { userId: '42' },
}

const Checkout = defineComponent(() => {
  const isNew = useFlag('new-checkout')
  return () => h('p', isNew.value ? 'The new one' : 'The old one')
})

export const App = defineComponent(() => () => h(FlagProvider, { config }, () => h(Checkout)))`,
      },
    ],
  },
  {
    id: 'svelte',
    name: 'Svelte',
    group: 'web',
    kind: 'frontend',
    install: 'npm install unleash-proxy-client',
    files: [
      {
        name: 'flags.ts',
        code: `import { readable } from 'svelte/store'
import { UnleashClient } from 'unleash-proxy-client'

const client = new UnleashClient({
  url: 'http://localhost:4242/api/frontend',
  clientKey: '<frontend token>',
  appName: 'my-page',
  context: { userId: '42' },
})
// not while a page is rendered on a server
if (typeof window !== 'undefined') void client.start()

export function useFlag(name: string) {
  return readable(client.isEnabled(name), (set) => {
    const tell = () => set(client.isEnabled(name))
    client.on('update', tell)
    tell()
    return () => client.off('update', tell)
  })
}`,
      },
      {
        name: 'Checkout.svelte',
        code: `<script>
  import { useFlag } from './flags'

  const isNew = useFlag('new-checkout')
</script>

<p>{$isNew ? 'The new one' : 'The old one'}</p>`,
      },
    ],
  },
  {
    id: 'next',
    name: 'Next.js',
    group: 'web',
    kind: 'frontend',
    install: 'npm install @unleash/nextjs',
    files: [
      {
        name: '.env',
        code: `NEXT_PUBLIC_UNLEASH_FRONTEND_API_URL=http://localhost:4242/api/frontend
NEXT_PUBLIC_UNLEASH_FRONTEND_API_TOKEN=<frontend token>
UNLEASH_SERVER_API_URL=http://localhost:4242/api
UNLEASH_SERVER_API_TOKEN=<client token>`,
      },
      {
        name: 'app/flags.tsx',
        code: `'use client'

import { FlagProvider, useFlag } from '@unleash/nextjs/client'
import type { ReactNode } from 'react'

export function Flags({ children }: { children: ReactNode }) {
  return <FlagProvider config={{ context: { userId: '42' } }}>{children}</FlagProvider>
}

export function Checkout() {
  const isNew = useFlag('new-checkout')
  return <p>{isNew ? 'The new one' : 'The old one'}</p>
}`,
      },
      {
        name: 'app/is-on.ts',
        code: `import { evaluateFlags, flagsClient, getDefinitions } from '@unleash/nextjs'

export async function isOn(name: string, userId: string) {
  const definitions = await getDefinitions({ fetchOptions: { cache: 'no-store' } })
  return flagsClient(evaluateFlags(definitions, { userId }).toggles).isEnabled(name)
}`,
      },
    ],
  },
]
