import { Stack, Text } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import { CodeBlock } from '../ui/page/code-block.tsx'
import { METRIC_CODE } from './metric-code.ts'
import { fillSampleCode, type SampleValues, type Sdk } from './sdk.ts'
import { CONNECT_TEXTS } from './texts.ts'

/** Install command and sample code for an SDK, both with a copy button. */
export function SdkCode({ sdk, filling }: { sdk: Sdk; filling: SampleValues }) {
  const t = useCatalogue(CONNECT_TEXTS)
  const metric = METRIC_CODE[sdk.id]
  return (
    <Stack gap="sm">
      <section aria-label={t.install}>
        <Text size="sm" c="dimmed" mb={4}>
          {t.install}
        </Text>
        <CodeBlock label={t.install} code={sdk.install} />
      </section>
      {sdk.files.map(({ name, code }) => (
        <section key={code} aria-label={name ?? t.codeLabel}>
          {name !== undefined && (
            <Text size="sm" c="dimmed" mb={4}>
              {t.file(name)}
            </Text>
          )}
          <CodeBlock label={name ?? sdk.name} code={fillSampleCode(code, filling)} />
        </section>
      ))}
      {metric !== undefined && (
        <section aria-label={t.metric}>
          <Text size="sm" c="dimmed" mb={4}>
            {t.metric}
          </Text>
          <CodeBlock label={t.metric} code={metric} />
        </section>
      )}
    </Stack>
  )
}
