import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { BASE_PATH } from '../../api/http.ts'
import { SdkSelect } from '../../connect/sdk-choice.tsx'
import { SdkCode } from '../../connect/sdk-code.tsx'
import { lastSdk } from '../../connect/sdks.ts'
import { useTexts } from '../../text/texts.tsx'
import { CodeBlock } from '../../ui/page/code-block.tsx'
import { LinkButton } from '../../ui/page/link-button.tsx'
import { Section } from '../../ui/page/section.tsx'
import { FLAG_TEXTS } from '../texts.ts'
import { typedCode } from './typed-code.ts'

/** How code asks for a flag, with its name, to copy. */
export function CodePanel({ flag }: { flag: AdminFeature }) {
  const t = useTexts(FLAG_TEXTS)
  const [sdk, choose] = useState(lastSdk)
  const address = `${location.origin}${BASE_PATH}`
  const { name, project } = flag
  return (
    <Stack gap="lg">
      <Section
        title={t.flag.codeAsk}
        actions={
          <LinkButton to="/connect" search={{ sdk: sdk.id, project }}>
            {t.flag.codeConnect}
          </LinkButton>
        }
      >
        <Stack>
          <Text>{t.flag.codeIntro}</Text>
          <SdkSelect sdk={sdk} choose={choose} />
          <SdkCode sdk={sdk} filling={{ address, flag: name }} />
        </Stack>
      </Section>
      <Section title={t.flag.codeTyped}>
        <Stack>
          <Text>{t.flag.codeTypedText}</Text>
          <CodeBlock label="TypeScript" code={typedCode(flag)} />
          <Text size="sm">{t.flag.codeAll}</Text>
          <CodeBlock
            label={t.flag.codeAllLabel}
            code={`openfeature pull --provider-url ${address} --auth-token '<client token>'\nopenfeature generate nodejs`}
          />
        </Stack>
      </Section>
      <Section title={t.flag.codeCurl}>
        <CodeBlock
          label="curl"
          code={`curl -H 'Authorization: <client token>' '${address}/api/client/features/${encodeURIComponent(name)}'`}
        />
      </Section>
    </Stack>
  )
}
