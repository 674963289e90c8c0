import type { FeatureDocument, FeatureImport, ImportFindings } from '@burgee/protocol/administration/feature-transfer'
import { Alert, Button, Checkbox, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ApiError } from '../api/http.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useConfirmSkip } from '../proposals/use-confirm-skip.ts'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { Form } from '../ui/form/form.tsx'
import { ProblemAlert } from '../ui/form/problem-alert.tsx'
import ui from '../ui/ui.module.css'
import { MAX_DOCUMENT_BYTES, parseDocument } from './flag-document.ts'
import { Findings, hasUnguarded, listSkippedFlags } from './import-findings.tsx'
import { ImportPreview } from './import-preview.tsx'
import { SegmentFindings } from './import-segments.tsx'
import { TRANSFER_TEXTS } from './texts.ts'
import { checkImport, importFlags } from './transfer-calls.ts'
import { useEnvironmentChoice } from './use-environment-choice.ts'

/** Import request together with the server's findings about it. */
interface CheckedImport {
  readonly input: FeatureImport
  readonly findings: ImportFindings
  /** ETag of the state that was checked. */
  readonly etag: string | undefined
  /** True if the findings differ from those of an earlier check. */
  readonly isAgain?: boolean
}

const PRECONDITION_FAILED = 412

const runCheck = async (input: FeatureImport): Promise<CheckedImport> => {
  const { value: findings, etag } = await checkImport(input)
  return { input, findings, etag }
}

/**
 * Section that imports the flags of a document into a project. The document is checked first, and then either
 * everything in it is imported or nothing.
 */
export function ImportFlags({ project }: { project: string }) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const [checked, setChecked] = useState<CheckedImport>()
  const [done, setDone] = useState<number>()
  const begin = (): void => {
    setChecked(undefined)
    setDone(undefined)
  }
  if (done !== undefined) return <ImportDone project={project} count={done} again={begin} />
  if (checked === undefined) return <SourceForm project={project} checked={setChecked} />
  return (
    <Stack>
      {checked.isAgain === true && (
        <Alert color="yellow" role="alert">
          {t.changed}
        </Alert>
      )}
      <CheckResult checked={checked} done={setDone} again={setChecked} begin={begin} />
    </Stack>
  )
}

/** Findings of the check, and what the user can do next: adjust, check again, import or start over. */
function CheckResult({ checked, done, again, begin }: ImportButtonProps & { readonly begin: () => void }) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const { input, findings } = checked
  const { segments = [] } = findings
  const look = useMutation({ mutationFn: runCheck, onSuccess: again })
  return (
    <>
      <Findings {...checked} />
      {segments.length > 0 && (
        <SegmentFindings
          segments={segments}
          isPending={look.isPending}
          isCreating={input.createMissingSegments === true}
          choose={(createMissingSegments) => look.mutate({ ...input, createMissingSegments })}
        />
      )}
      {hasUnguarded(findings) && (
        <Checkbox
          label={t.closeUnguarded}
          checked={input.closeUnguarded === true}
          disabled={look.isPending}
          onChange={(event) => look.mutate({ ...input, closeUnguarded: event.currentTarget.checked })}
        />
      )}
      <ImportPreview input={input} segments={segments} left={listSkippedFlags(findings)} />
      {look.error !== null && <ProblemAlert error={look.error} />}
      <ImportButton checked={checked} done={done} again={again} isLooking={look.isPending} />
      <Group>
        <Button variant="default" loading={look.isPending} onClick={() => look.mutate(input)}>
          {t.lookAgain}
        </Button>
        <Button variant="subtle" onClick={begin}>
          {t.other}
        </Button>
      </Group>
    </>
  )
}

/** Returns the pasted document, or the last selected file. */
function useDocument() {
  const t = useCatalogue(TRANSFER_TEXTS)
  const [text, setText] = useState('')
  const [file, setFile] = useState<ChosenFile>()
  const pasted = useMemo(() => parseDocument(text), [text])
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return setFile(undefined)
    if (file.size > MAX_DOCUMENT_BYTES) return setFile({ problem: t.tooLarge })
    const data = parseDocument(await file.text())
    setFile(data === undefined ? { problem: t.noDocument } : { data })
  }
  const write = (text: string): void => {
    setFile(undefined)
    setText(text)
  }
  const isNone = text.trim() !== '' && pasted === undefined
  return { text, file, data: file === undefined ? pasted : file.data, isNone, read, write }
}

interface SourceProps {
  readonly project: string
  readonly checked: (checked: CheckedImport) => void
}

/**
 * Selected file with its content, or the reason why it cannot be imported. A file may be long, so it is parsed only
 * once and not displayed.
 */
interface ChosenFile {
  readonly data?: FeatureDocument
  readonly problem?: string
}

/** Form for the document and the target environment. */
function SourceForm({ project, checked }: SourceProps) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const { number } = useFormat()
  const { names, environment, choose, isPossible, taken } = useEnvironmentChoice(project)
  const { text, file, data, isNone, read, write } = useDocument()
  const save = useMutation({
    mutationFn: async (data: FeatureDocument) =>
      // First check against the existing segments. The page then shows how they differ from the segments in the
      // document.
      runCheck({ project, environment: await taken(), data, useExistingSegments: true }),
    onSuccess: checked,
  })
  const holds = ({ features: { length } }: FeatureDocument): string => t.holds(length, number(length))
  return (
    <Form
      save={save}
      draft={undefined}
      action={t.check}
      isReady={data !== undefined && isPossible}
      submit={() => data !== undefined && save.mutate(data)}
    >
      <TextInput
        type="file"
        accept="application/json,.json"
        label={t.file}
        error={file?.problem}
        maw={420}
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
      {file?.data !== undefined && <Text role="status">{holds(file.data)}</Text>}
      {file?.data === undefined && (
        <Textarea
          label={t.paste}
          placeholder={'{"features": [ … ]}'}
          value={text}
          error={isNone && t.noDocument}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          onChange={(event) => write(event.currentTarget.value)}
        />
      )}
      <Select
        label={t.importEnvironment}
        description={t.importEnvironmentHint}
        data={[...names]}
        value={environment}
        allowDeselect={false}
        maw={420}
        onChange={(value) => choose(value ?? '')}
      />
    </Form>
  )
}

interface ImportButtonProps {
  readonly checked: CheckedImport
  readonly done: (count: number) => void
  readonly again: (checked: CheckedImport) => void
}

/**
 * Button that imports the document if there are no errors. Asks for confirmation if real users are affected. Shows new
 * findings after a conflict.
 */
function ImportButton({
  checked: { input, findings, etag },
  done,
  again,
  isLooking,
}: ImportButtonProps & { readonly isLooking: boolean }) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const refetch = useRefetch()
  const confirm = useConfirmImport(input)
  const save = useMutation({
    mutationFn: async (): Promise<CheckedImport | undefined> => {
      try {
        await importFlags(input, etag)
        return undefined
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== PRECONDITION_FAILED) throw error
        return { ...(await runCheck(input)), isAgain: true }
      }
    },
    onSuccess: async (other) => {
      if (other !== undefined) return again(other)
      done(input.data.features.length - listSkippedFlags(findings).length)
      await refetch(['flags'], ['flag'], ['context-fields'], ['tag-types'], ['tags'], ['segments'], ['events'])
    },
  })
  const isRefused = findings.errors.length > 0 || findings.permissions.length > 0
  const go = async (): Promise<void> => {
    if (await confirm()) save.mutate()
  }
  return (
    <>
      {save.error !== null && <ProblemAlert error={save.error} />}
      {isRefused ? (
        <Text role="status">{t.refused}</Text>
      ) : (
        <Group>
          <Button loading={save.isPending} disabled={isLooking} onClick={() => void go()}>
            {t.import}
          </Button>
        </Group>
      )}
    </>
  )
}

/** Returns a function that asks for confirmation if real users are affected or change requests are skipped. */
function useConfirmImport({ project, environment, data }: FeatureImport): () => Promise<boolean> {
  const t = useCatalogue(TRANSFER_TEXTS)
  const { number } = useFormat()
  const liveAmong = useLiveCheck()
  const skips = useConfirmSkip()
  const ask = useConfirm()
  return async () => {
    const skipped = await skips.note(t.import, [{ project, environment }])
    if (skipped === undefined) return false
    if (skipped === '' && (await liveAmong([environment])).length === 0) return true
    const count = data.features.length
    const text = `${t.liveText} ${skipped}`.trim()
    return ask({ title: t.liveTitle(count, number(count), environment), text, action: t.import, isDanger: true })
  }
}

function ImportDone({ project, count, again }: { project: string; count: number; again: () => void }) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const { nav } = useTexts()
  const { number } = useFormat()
  return (
    <Stack>
      <Alert color="teal" role="status" title={t.imported(count, number(count))}>
        <Link to="/projects/$project" params={{ project }} className={ui.link ?? ''}>
          {nav.flags}
        </Link>
      </Alert>
      <Group>
        <Button variant="default" onClick={again}>
          {t.other}
        </Button>
      </Group>
    </Stack>
  )
}
