import { Stack, Title } from '@mantine/core'
import { BASE_PATH } from '../api/http.ts'
import { useTexts } from '../text/texts.tsx'
import { CodeBlock } from '../ui/page/code-block.tsx'
import { FLAG_TEXTS } from './texts.ts'

/** How code asks for a flag, with its name, to copy. */
export function CodePanel({ feature }: { feature: string }) {
  const t = useTexts(FLAG_TEXTS)
  const address = `${location.origin}${BASE_PATH}`
  const name = JSON.stringify(feature).slice(1, -1).replaceAll("'", "\\'")
  return (
    <Stack>
      <p>{t.flag.codeIntro}</p>
      {SNIPPETS.map(({ title, code }) => (
        <section key={title}>
          <Title order={2} size="h5" mb={6}>
            {title === 'curl' ? t.flag.codeCurl : title}
          </Title>
          <CodeBlock label={title} code={code(address, name)} />
        </section>
      ))}
    </Stack>
  )
}

const SNIPPETS: readonly { title: string; code: (address: string, name: string) => string }[] = [
  {
    title: 'JavaScript',
    code: (address, name) => `import { UnleashClient } from 'unleash-proxy-client'

const flags = new UnleashClient({
  url: '${address}/api/frontend',
  clientKey: '<frontend token>',
  appName: 'my-app',
})
await flags.start()

if (flags.isEnabled('${name}')) {
  // the new way
}`,
  },
  {
    title: 'React',
    code: (address, name) => `import { FlagProvider, useFlag } from '@unleash/proxy-client-react'

const config = { url: '${address}/api/frontend', clientKey: '<frontend token>', appName: 'my-app' }

const App = () => <FlagProvider config={config}><Part /></FlagProvider>

function Part() {
  return useFlag('${name}') ? <NewWay /> : <OldWay />
}`,
  },
  {
    title: 'Node',
    code: (address, name) => `import { initialize } from 'unleash-client'

const flags = initialize({
  url: '${address}/api/',
  appName: 'my-service',
  customHeaders: { Authorization: '<client token>' },
})

if (flags.isEnabled('${name}', { userId: '42' })) {
  // the new way
}`,
  },
  {
    title: 'curl',
    code: (address, name) =>
      `curl -H 'Authorization: <client token>' '${address}/api/client/features/${encodeURIComponent(name)}'`,
  },
]
