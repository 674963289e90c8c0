import type { ImportKind, ImportPlan, ImportPlanRequest } from '@burgee/protocol/administration/import'
import { MAX_IMPORT_LENGTH } from '@burgee/protocol/administration/import-limits'
import { Select, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ENVIRONMENTS, PROJECTS } from '../api/queries.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Form } from '../ui/form/form.tsx'
import { SecretField } from '../ui/form/secret-field.tsx'
import { planImport } from './import-calls.ts'
import { IMPORT_TEXTS } from './texts.ts'

/** Values of the import form. The kind of source determines which values are sent. */
export interface ImportDraft {
  readonly kind: ImportKind
  readonly file: File | undefined
  readonly address: string
  readonly token: string
  readonly environment: string | null
  readonly project: string | null
}

/** Empty form. */
export const EMPTY: ImportDraft = {
  kind: 'unleash-api',
  file: undefined,
  address: '',
  token: '',
  environment: null,
  project: 'default',
}

const NEEDS_ENVIRONMENT: readonly ImportKind[] = ['unleash-export', 'client-features', 'flagd', 'flagsmith']
const TAKES_ENVIRONMENT: readonly ImportKind[] = [...NEEDS_ENVIRONMENT, 'launchdarkly']

/** Import request with its preview. */
export interface PlannedImport {
  readonly wish: ImportPlanRequest
  readonly plan: ImportPlan
}

interface Props {
  readonly draft: ImportDraft
  readonly put: (draft: ImportDraft) => void
  readonly planned: (planned: PlannedImport) => void
}

/** Form with the source and the target of an import. */
export function ImportForm({ draft, put, planned }: Props) {
  const t = useCatalogue(IMPORT_TEXTS)
  const plan = useMutation({
    mutationFn: async (): Promise<PlannedImport> => {
      const wish = await toImportRequest(draft)
      return { wish, plan: await planImport(wish) }
    },
    onSuccess: planned,
  })
  const set = (change: Partial<ImportDraft>): void => put({ ...draft, ...change })
  return (
    <Form save={plan} submit={() => plan.mutate()} draft={undefined} isReady={isReady(draft)} action={t.look}>
      <Select
        label={t.from}
        data={Object.entries(t.sources).map(([value, label]) => ({ value, label }))}
        value={draft.kind}
        allowDeselect={false}
        onChange={(kind) => set({ kind: (kind ?? draft.kind) as ImportKind, file: undefined, token: '' })}
      />
      {draft.kind === 'unleash-api' ? (
        <ServerFields draft={draft} set={set} />
      ) : (
        // A file input cannot be set to a value, so it is reset by changing its key.
        <FileFields key={draft.kind} draft={draft} set={set} />
      )}
    </Form>
  )
}

interface FieldProps {
  readonly draft: ImportDraft
  readonly set: (change: Partial<ImportDraft>) => void
}

function ServerFields({ draft, set }: FieldProps) {
  const t = useCatalogue(IMPORT_TEXTS)
  return (
    <>
      <TextInput
        label={t.address}
        placeholder="https://unleash.example.com"
        value={draft.address}
        required
        onChange={(event) => set({ address: event.currentTarget.value })}
      />
      <SecretField
        label={t.token}
        description={t.tokenHint}
        value={draft.token}
        required
        autoComplete="off"
        onChange={(event) => set({ token: event.currentTarget.value })}
      />
    </>
  )
}

function FileFields({ draft, set }: FieldProps) {
  const t = useCatalogue(IMPORT_TEXTS)
  const { data: environments = [] } = useQuery(ENVIRONMENTS)
  const { data: projects = [] } = useQuery(PROJECTS)
  const isNeeded = NEEDS_ENVIRONMENT.includes(draft.kind)
  return (
    <>
      <TextInput
        type="file"
        label={t.file}
        description={t.fileHint}
        required
        onChange={(event) => set({ file: event.currentTarget.files?.[0] })}
      />
      {isTooLong(draft) && (
        <Text role="alert" c="var(--bad)" size="sm">
          {t.tooLong}
        </Text>
      )}
      {TAKES_ENVIRONMENT.includes(draft.kind) && (
        <>
          <Select
            label={t.environment}
            description={isNeeded ? t.environmentHint : t.environmentMaybe}
            data={environments.map(({ name }) => name)}
            value={draft.environment}
            required={isNeeded}
            clearable={!isNeeded}
            onChange={(environment) => set({ environment })}
          />
          <Select
            label={t.project}
            data={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={draft.project}
            allowDeselect={false}
            onChange={(project) => set({ project })}
          />
        </>
      )}
    </>
  )
}

const isTooLong = ({ file }: ImportDraft): boolean => (file?.size ?? 0) > MAX_IMPORT_LENGTH

function isReady(draft: ImportDraft): boolean {
  const { kind, file, address, token, environment } = draft
  if (kind === 'unleash-api') return URL.canParse(address.trim()) && token.trim() !== ''
  return file !== undefined && !isTooLong(draft) && (environment !== null || !NEEDS_ENVIRONMENT.includes(kind))
}

async function toImportRequest({
  kind,
  file,
  address,
  token,
  environment,
  project,
}: ImportDraft): Promise<ImportPlanRequest> {
  if (kind === 'unleash-api') return { kind, address: address.trim(), token: token.trim() }
  const content = (await file?.text()) ?? ''
  if (!TAKES_ENVIRONMENT.includes(kind)) return { kind, content }
  return {
    kind,
    content,
    ...(environment === null ? {} : { environment }),
    ...(project === null ? {} : { project }),
  }
}
