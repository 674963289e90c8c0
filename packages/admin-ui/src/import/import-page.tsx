import type { ImportResult } from '@burgee/protocol/administration/import'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useUnsavedChanges } from '../ui/dialog/unsaved-changes.ts'
import { ProblemAlert } from '../ui/form/problem-alert.tsx'
import { Page } from '../ui/page/page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { runImport } from './import-calls.ts'
import { EMPTY, type ImportDraft, ImportForm, type PlannedImport } from './import-form.tsx'
import { ImportReport, Verdict } from './import-report.tsx'
import { IMPORT_TEXTS } from './texts.ts'

/** Page that imports flags from another service: source, preview and verification. */
export function ImportPage() {
  const t = useCatalogue(IMPORT_TEXTS)
  const { errors } = useTexts()
  const may = usePermissionCheck()
  const [draft, setDraft] = useState(EMPTY)
  const [planned, setPlanned] = useState<PlannedImport>()
  const [result, setResult] = useState<ImportResult>()
  const begin = (from: ImportDraft): void => {
    setPlanned(undefined)
    setResult(undefined)
    setDraft(from)
  }
  const plan = (next: PlannedImport): void => {
    setPlanned(next)
    // The token remains part of the previewed request but is removed from the form.
    setDraft((now) => ({ ...now, token: '' }))
  }
  const finish = (done: ImportResult): void => {
    setPlanned(undefined)
    setResult(done)
  }
  if (!may('ADMIN')) {
    return (
      <Page title={t.title}>
        <Notice title={errors.forbidden}>{errors.forbiddenText}</Notice>
      </Page>
    )
  }
  return (
    <Page
      title={t.title}
      intro={
        <Text c="dimmed" mb="md">
          {t.intro}
        </Text>
      }
    >
      {planned !== undefined && (
        <Plan planned={planned} back={() => begin({ ...draft, file: undefined })} done={finish} />
      )}
      {planned === undefined && result === undefined && (
        <div className={ui.column}>
          <Section title={t.section}>
            <ImportForm draft={draft} put={setDraft} planned={plan} />
          </Section>
        </div>
      )}
      {result !== undefined && <Outcome result={result} back={() => begin(EMPTY)} />}
    </Page>
  )
}

function Outcome({ result, back }: { result: ImportResult; back: () => void }) {
  const t = useCatalogue(IMPORT_TEXTS)
  return (
    <Stack>
      <Verdict verified={result.verified} />
      <ImportReport report={result} />
      <Group>
        <Button variant="default" onClick={back}>
          {t.back}
        </Button>
      </Group>
    </Stack>
  )
}

interface PlanProps {
  readonly planned: PlannedImport
  readonly back: () => void
  readonly done: (result: ImportResult) => void
}

function Plan({ planned: { wish, plan }, back, done }: PlanProps) {
  const t = useCatalogue(IMPORT_TEXTS)
  const queries = useQueryClient()
  const go = useMutation({
    mutationFn: () => runImport({ ...wish, plan: plan.plan }),
    onSuccess: async (result) => {
      done(result)
      await queries.invalidateQueries()
    },
  })
  const question = { title: t.leaveTitle, text: t.leaveText, action: t.leave, refusal: t.stay, isDanger: true }
  useUnsavedChanges({ hasUnsaved: () => go.isPending, question })
  return (
    <Stack>
      <Text>{t.source(plan.source)}</Text>
      <ImportReport report={plan} />
      {go.error !== null && <ProblemAlert error={go.error} />}
      <Group>
        <Button loading={go.isPending} onClick={() => go.mutate()}>
          {t.go}
        </Button>
        <Button variant="default" disabled={go.isPending} onClick={back}>
          {t.back}
        </Button>
      </Group>
    </Stack>
  )
}
