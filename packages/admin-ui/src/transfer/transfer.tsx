import { Stack, Text } from '@mantine/core'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'
import { ExportForm } from './export-flags.tsx'
import { ImportFlags } from './import-flags.tsx'
import { TRANSFER_TEXTS } from './texts.ts'

/** Export and import of a project's flags. */
export function Transfer({ project }: { project: string }) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const mayImport = usePermissionCheck()('UPDATE_FEATURE', { project })
  return (
    <Stack>
      <Section title={t.exportSection}>
        <Text size="sm" c="dimmed" mb="md">
          {t.exportText}
        </Text>
        <ExportForm key={project} project={project} flags={undefined} />
      </Section>
      {mayImport && (
        <Section title={t.importSection}>
          <Text size="sm" c="dimmed" mb="md">
            {t.importText}
          </Text>
          <ImportFlags key={project} project={project} />
        </Section>
      )}
    </Stack>
  )
}
