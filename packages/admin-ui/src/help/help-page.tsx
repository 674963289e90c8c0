import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BASE_PATH } from '../api/http.ts'
import { useProject } from '../shell/project/use-project.ts'
import { useCatalogue } from '../text/texts.tsx'
import { DefinitionList } from '../ui/page/definition-list.tsx'
import { Page } from '../ui/page/page.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { HELP_TEXTS } from './texts.ts'

/** Page with first steps and explanations of the terms on other pages. */
export function HelpPage() {
  const t = useCatalogue(HELP_TEXTS)
  const project = useProject()
  const link = ui.link ?? ''
  return (
    <Page title={t.title}>
      <Stack gap="lg">
        <Section title={t.steps}>
          <ol>
            <Step text={t.createText}>
              <Link to="/projects/$project" params={{ project }} search={{ create: true }} className={link}>
                {t.create}
              </Link>
            </Step>
            <Step text={t.tokenText}>
              <Link to="/tokens" className={link}>
                {t.token}
              </Link>
            </Step>
            <Step text={t.playgroundText}>
              <Link to="/playground" className={link}>
                {t.playground}
              </Link>
            </Step>
            <Step text={t.eventsText}>
              <Link to="/events" className={link}>
                {t.events}
              </Link>
            </Step>
          </ol>
        </Section>
        <Section title={t.words}>
          <DefinitionList facts={t.list.map(([word, meaning]) => [word, meaning] as const)} />
        </Section>
        <Section title={t.more}>
          <Text>{t.keys}</Text>
          <Anchor href={`${BASE_PATH}/docs/openapi`} target="_blank">
            {t.api}
          </Anchor>
        </Section>
      </Stack>
    </Page>
  )
}

function Step({ text, children }: { text: string; children: ReactNode }) {
  return (
    <li>
      {children}
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </li>
  )
}
