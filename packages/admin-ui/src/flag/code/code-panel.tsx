import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE_PATH } from '../../api/http.ts'
import { SEGMENTS } from '../../api/queries.ts'
import { SdkSelect } from '../../connect/sdk-choice.tsx'
import { SdkCode } from '../../connect/sdk-code.tsx'
import { readLastSdk } from '../../connect/sdks.ts'
import { useCatalogue } from '../../text/texts.tsx'
import { CodeBlock } from '../../ui/page/code-block.tsx'
import { LinkButton } from '../../ui/page/link-button.tsx'
import { Section } from '../../ui/page/section.tsx'
import { RemovalSection } from './removal-section.tsx'
import { CODE_TEXTS } from './texts.ts'
import { TypedSection } from './typed-section.tsx'
import { buildContextTemplate, listUsedContextFields } from './used-context-fields.ts'

/** Context fields that the flag's rules use. Renders nothing if the rules use none. */
function UsedContextFields({ flag }: { flag: AdminFeature }) {
  const t = useCatalogue(CODE_TEXTS)
  const { data = [] } = useQuery(SEGMENTS)
  const fields = listUsedContextFields(flag, data)
  if (fields.length === 0) return null
  return (
    <section aria-label={t.contextLabel}>
      <Text mb={4}>{t.context(fields.join(', '))}</Text>
      <CodeBlock label={t.contextLabel} code={buildContextTemplate(fields)} />
    </section>
  )
}

/** Places in the code that refer to a flag, and sample code that evaluates the flag. */
export function CodePanel({ flag }: { flag: AdminFeature }) {
  const t = useCatalogue(CODE_TEXTS)
  const [sdk, choose] = useState(readLastSdk)
  const address = `${location.origin}${BASE_PATH}`
  const { name, project } = flag
  const isEnding = flag.archived || flag.stale || flag.potentiallyStale || flag.lifecycle.stage === 'completed'
  return (
    <Stack gap="lg">
      {isEnding && <RemovalSection flag={flag} />}
      <Section
        title={t.ask}
        actions={
          <LinkButton to="/connect" search={{ sdk: sdk.id, project, flag: name }}>
            {t.connect}
          </LinkButton>
        }
      >
        <Stack>
          <Text>{t.intro}</Text>
          <SdkSelect sdk={sdk} choose={choose} />
          <SdkCode sdk={sdk} filling={{ address, flag: name }} />
          <UsedContextFields flag={flag} />
        </Stack>
      </Section>
      {!isEnding && <RemovalSection flag={flag} />}
      <TypedSection flag={flag} address={address} />
      <Section title={t.curl}>
        <CodeBlock
          label="curl"
          code={`curl -H 'Authorization: <client token>' '${address}/api/client/features/${encodeURIComponent(name)}'`}
        />
      </Section>
    </Stack>
  )
}
