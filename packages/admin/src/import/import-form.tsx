import type { ImportKind, ImportPlan, ImportWish } from '@burgee/protocol/administration/import'
import { MOST_IMPORTED_CHARACTERS } from '@burgee/protocol/administration/import-limits'
import { PasswordInput, Select, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ENVIRONMENTS, PROJECTS } from '../api/queries.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Form } from '../ui/form/form.tsx'
import { planImport } from './import-calls.ts'
import { IMPORT_TEXTS } from './texts.ts'

/** Values of the import form. The kind decides which are sent. */
export interface Draft {
  readonly kind: ImportKind
  readonly file: File | undefined
  readonly address: string
  readonly token: string
  readonly environment: string | null
  readonly project: string | null
}

/** Empty form. */
export const EMPTY: Draft = {
  ...{ kind: 'unleash-api', file: undefined, address: '', token: '', environment: null, project: 'default' },
}

const NEEDS_ENVIRONMENT: readonly ImportKind[] = ['unleash-export', 'client-features', 'flagd', 'flagsmith']
const TAKES_ENVIRONMENT: readonly ImportKind[] = [...NEEDS_ENVIRONMENT, 'launchdarkly']

/** Import request with its preview. */
export interface Planned {
  readonly wish: ImportWish
  readonly plan: ImportPlan
}

interface Props {
  readonly draft: Draft
  readonly put: (draft: Draft) => void
  readonly planned: (planned: Planned) => void
}

/** Form with the source and the target of an import. */
export function ImportForm({ draft, put, planned }: Props) {
  const t = useCatalogue(IMPORT_TEXTS)
  const plan = useMutation({
    mutationFn: async (): Promise<Planned> => {
      const wish = await wishOf(draft)
      return { wish, plan: await planImport(wish) }
    },
    onSuccess: planned,
  })
  const set = (change: Partial<Draft>): void => put({ ...draft, ...change })
  return (
    <Form save={plan} submit={() => plan.mutate()} draft={undefined} isReady={isReady(draft)} action={t.look}>
      <Select
        label={t.from}
        data={Object.entries(t.sources).map(([value, label]) => ({ value, label }))}
        value={draft.kind}
        allowDeselect={false}
        maw={420}
        onChange={(kind) => set({ kind: (kind ?? draft.kind) as ImportKind, file: undefined, token: '' })}
      />
      {draft.kind === 'unleash-api' ? (
        <ServerFields {...{ draft, set }} />
      ) : (
        // A file input cannot be set, so a new key resets it.
        <FileFields key={draft.kind} {...{ draft, set }} />
      )}
    </Form>
  )
}

interface FieldProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
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
        maw={420}
        onChange={(event) => set({ address: event.currentTarget.value })}
      />
      <PasswordInput
        label={t.token}
        description={t.tokenHint}
        value={draft.token}
        required
        autoComplete="off"
        maw={420}
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
        maw={420}
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
            maw={420}
            onChange={(environment) => set({ environment })}
          />
          <Select
            label={t.project}
            data={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={draft.project}
            allowDeselect={false}
            maw={420}
            onChange={(project) => set({ project })}
          />
        </>
      )}
    </>
  )
}

const isTooLong = ({ file }: Draft): boolean => (file?.size ?? 0) > MOST_IMPORTED_CHARACTERS

function isReady(draft: Draft): boolean {
  const { kind, file, address, token, environment } = draft
  if (kind === 'unleash-api') return URL.canParse(address.trim()) && token.trim() !== ''
  return file !== undefined && !isTooLong(draft) && (environment !== null || !NEEDS_ENVIRONMENT.includes(kind))
}

async function wishOf({ kind, file, address, token, environment, project }: Draft): Promise<ImportWish> {
  if (kind === 'unleash-api') return { kind, address: address.trim(), token: token.trim() }
  const content = (await file?.text()) ?? ''
  if (!TAKES_ENVIRONMENT.includes(kind)) return { kind, content }
  return {
    ...{ kind, content },
    ...(environment === null ? {} : { environment }),
    ...(project === null ? {} : { project }),
  }
}
