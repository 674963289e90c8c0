import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useCatalogue } from '../../text/texts.tsx'
import { CodeBlock } from '../../ui/page/code-block.tsx'
import { Section } from '../../ui/page/section.tsx'
import { CODE_TEXTS } from './texts.ts'
import { CODE_LANGUAGES, findCodeLanguage, readLastCodeLanguage, storeCodeLanguage } from './typed/code-languages.ts'
import { toTypedFlag } from './typed/typed-flag.ts'

/** Typed code for one flag in a selectable language, for copying. */
export function TypedSection({ flag, address }: { flag: AdminFeature; address: string }) {
  const t = useCatalogue(CODE_TEXTS)
  const [language, setLanguage] = useState(readLastCodeLanguage)
  const typed = toTypedFlag(flag)
  function choose(id: string | null) {
    const chosen = findCodeLanguage(id)
    if (chosen === undefined) return
    storeCodeLanguage(chosen)
    setLanguage(chosen)
  }
  return (
    <Section title={t.typed}>
      <Stack>
        <Text>{t.typedText}</Text>
        <Select
          label={t.language}
          maw={280}
          allowDeselect={false}
          data={CODE_LANGUAGES.map(({ id, name }) => ({ value: id, label: name }))}
          value={language.id}
          onChange={choose}
        />
        <CodeBlock label={language.name} code={language.code(typed)} />
        <Text size="sm">{t.use}</Text>
        <CodeBlock label={t.useLabel} code={language.use(typed)} />
        <Text size="sm">{t.all}</Text>
        <CodeBlock
          label={t.allLabel}
          code={`openfeature pull --provider-url ${address} --auth-token '<client token>'\nopenfeature generate nodejs`}
        />
      </Stack>
    </Section>
  )
}
