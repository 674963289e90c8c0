import type { OidcSettings, OidcSettingsInput } from '@burgee/protocol/administration/single-sign-on'
import { Alert, Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isRootRole, ROLES_QUERY } from '../api/access/roles.ts'
import { fetchOidcSettings, updateOidcSettings } from '../api/access/single-sign-on.ts'
import { findLastEvent } from '../api/events.ts'
import { BASE_PATH } from '../api/http.ts'
import { ConflictNotice } from '../edit-conflict/conflict-notice.tsx'
import { replaceIfUnchanged, withoutEtag } from '../edit-conflict/replace-if-unchanged.ts'
import { useConditionalSave } from '../edit-conflict/use-conditional-save.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { Form } from '../ui/form/form.tsx'
import { SecretField } from '../ui/form/secret-field.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { CodeBlock } from '../ui/page/code-block.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { findProviderProblem, type ProviderProblem } from './provider-problem.ts'
import styles from './single-sign-on.module.css'
import { SSO_TEXTS } from './texts.ts'

type ReadOnlySetting = 'defaultRootRole' | 'enablePkce' | 'unleashHostname' | 'isSetByEnvironment' | 'isTested'
type Draft = Required<Omit<OidcSettingsInput, ReadOnlySetting>>
type BooleanSetting = { [K in keyof Draft]: Draft[K] extends boolean ? K : never }[keyof Draft]
type TextSetting = 'discoverUrl' | 'clientId' | 'emailDomains' | 'groupJsonPath' | 'acrValues'
type PutDraft = (change: Partial<Draft>) => void

const ALGORITHMS = ['RS256', 'RS384', 'RS512'] as const

/** Removes read-only properties. */
function toDraft(settings: OidcSettings): Draft {
  const { isSetByEnvironment: _, isTested: __, defaultRootRole: ___, enablePkce: ____, ...draft } = settings
  return draft
}

/**
 * Form for the provider settings. Disabling single sign-on needs confirmation, because users who have no password will
 * be locked out. Reports concurrent changes.
 */
export function OidcForm({ settings }: { settings: OidcSettings }) {
  // The server masks the secret, so the form restarts with the stored settings.
  const [stored, setStored] = useState({ settings, times: 0 })
  const saved = (next: OidcSettings): void => setStored({ settings: next, times: stored.times + 1 })
  return <SettingsForm key={stored.times} settings={stored.settings} saved={saved} />
}

function SettingsForm({ settings, saved }: { settings: OidcSettings; saved: (next: OidcSettings) => void }) {
  const t = useCatalogue(SSO_TEXTS)
  const [draft, setDraft] = useState(() => toDraft(settings))
  const put: PutDraft = (change) => setDraft({ ...draft, ...change })
  const ask = useConfirm()
  const { save, conflict, take } = useSave(settings, saved, (theirs) => setDraft(toDraft(theirs)))
  const shown = useSettingsFormatter()
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="sign-in"
        event={conflict.event}
        theirs={{ body: shown(toDraft(conflict.theirs)) }}
        mine={{ body: shown(draft) }}
      />
    ),
    take,
  }
  const question = { title: t.offTitle, text: t.offText, action: t.off, isDanger: true }
  const confirm = async () => !settings.enabled || draft.enabled || ask(question)
  const problem = findProviderProblem(t.problems, save.error)
  const isReady = !draft.enabled || [draft.discoverUrl, draft.clientId, draft.secret].every((one) => one.trim() !== '')
  return (
    <Section title={t.provider}>
      {settings.isSetByEnvironment && (
        <Alert color="gray" mb="md">
          {t.byVariables}
        </Alert>
      )}
      <fieldset disabled={settings.isSetByEnvironment} className={ui.bare}>
        <Form
          save={save}
          draft={draft}
          confirm={confirm}
          isReady={isReady}
          conflict={over}
          problem={problem?.text}
          submit={() => save.mutate(draft)}
        >
          <Provider draft={draft} hasSecret={settings.secret !== ''} put={put} problem={problem} />
          <Accounts draft={draft} put={put} />
          <More draft={draft} put={put} />
        </Form>
      </fieldset>
    </Section>
  )
}

/** Returns a function that formats settings for display, with field labels and without the secret. */
function useSettingsFormatter(): (draft: Draft) => Readonly<Record<string, string>> {
  const t = useCatalogue(SSO_TEXTS)
  const { on, off } = useTexts().flags
  const { data: roles = [] } = useQuery(ROLES_QUERY)
  return ({ secret: _, defaultRootRoleId, idTokenSigningAlgorithm, ...others }) => {
    const toText = (value: string | boolean): string => (typeof value === 'string' ? value : value ? on : off)
    const lines = Object.entries(others).map(([name, value]) => [t[name as keyof typeof others], toText(value)])
    const role = roles.find(({ id }) => id === defaultRootRoleId)?.name ?? ''
    return { ...Object.fromEntries(lines), [t.role]: role, [t.algorithm]: idTokenSigningAlgorithm }
  }
}

function useSave(settings: OidcSettings, saved: (next: OidcSettings) => void, begin: (theirs: OidcSettings) => void) {
  const t = useCatalogue(SSO_TEXTS)
  const stored = useRef(settings)
  const write = async (body: Draft): Promise<void> => {
    stored.current = await updateOidcSettings(body)
  }
  // If another user has stored the same settings, the user's settings count as stored.
  const read = async (): Promise<OidcSettings> => {
    stored.current = await fetchOidcSettings()
    return stored.current
  }
  return useConditionalSave<OidcSettings, Draft>({
    opened: { value: settings, etag: undefined },
    begin,
    create: write,
    replace: (from, body) => replaceIfUnchanged(from, { read, bodyOf: toDraft }, () => write(body)),
    read: () => withoutEtag(read()),
    bodyOf: toDraft,
    lastChange: () => findLastEvent({ q: 'setting-' }, ({ id }) => id === 'auth.oidc'),
    changes: [['sign-in']],
    done: () => {
      saved(stored.current)
      showSuccess(t.saved)
    },
  })
}

interface PartProps {
  readonly draft: Draft
  readonly put: PutDraft
}

type ProviderProps = PartProps & { readonly hasSecret: boolean; readonly problem: ProviderProblem | undefined }

function Provider({ draft, hasSecret, put, problem }: ProviderProps) {
  const t = useCatalogue(SSO_TEXTS)
  return (
    <>
      <Toggle name="enabled" label={t.enabled} draft={draft} put={put} />
      <div>
        <p className={ui.hint}>
          {t.callback}. {t.callbackHint}:
        </p>
        <CodeBlock code={`${location.origin}${BASE_PATH}/auth/oidc/callback`} label={t.callback} isWhole />
      </div>
      <Line
        name="discoverUrl"
        label={t.discoverUrl}
        hint={t.discoverUrlHint}
        example={t.discoverUrlExample}
        needed
        problem={problem}
        draft={draft}
        put={put}
      />
      <Line name="clientId" label={t.clientId} needed problem={problem} draft={draft} put={put} />
      <SecretField
        label={t.secret}
        description={hasSecret ? t.storedSecretHint : t.secretHint}
        value={draft.secret}
        maxLength={1000}
        autoComplete="off"
        withAsterisk={draft.enabled}
        onChange={(event) => put({ secret: event.currentTarget.value })}
      />
    </>
  )
}

function Accounts({ draft, put }: PartProps) {
  const t = useCatalogue(SSO_TEXTS)
  const { data: roles = [] } = useQuery(ROLES_QUERY)
  return (
    <fieldset className={ui.part}>
      <legend>{t.accounts}</legend>
      <div className={ui.fields}>
        <Toggle name="autoCreate" label={t.autoCreate} hint={t.autoCreateHint} draft={draft} put={put} />
        <Select
          label={t.role}
          data={roles.filter(isRootRole).map((one) => ({ value: String(one.id), label: one.name }))}
          value={String(draft.defaultRootRoleId)}
          allowDeselect={false}
          onChange={(value) => value !== null && put({ defaultRootRoleId: Number(value) })}
        />
        <Line name="emailDomains" label={t.emailDomains} hint={t.emailDomainsHint} draft={draft} put={put} />
        <Toggle name="trustEmail" label={t.trustEmail} hint={t.trustEmailHint} draft={draft} put={put} />
      </div>
    </fieldset>
  )
}

/** Settings that are not needed for most providers. The settings are collapsed unless one of them is in use. */
function More({ draft, put }: PartProps) {
  const t = useCatalogue(SSO_TEXTS)
  const [isInUse] = useState(() => hasMoreSettings(draft))
  return (
    <details className={styles.more} open={isInUse}>
      <summary>{t.more}</summary>
      <div className={ui.fields}>
        <Toggle name="enableGroupSyncing" label={t.enableGroupSyncing} draft={draft} put={put} />
        <Line name="groupJsonPath" label={t.groupJsonPath} hint={t.groupJsonPathHint} draft={draft} put={put} />
        <Toggle name="addGroupsScope" label={t.addGroupsScope} draft={draft} put={put} />
        <Toggle name="enableSingleSignOut" label={t.enableSingleSignOut} draft={draft} put={put} />
        <Select
          label={t.algorithm}
          data={[...ALGORITHMS]}
          value={draft.idTokenSigningAlgorithm}
          allowDeselect={false}
          onChange={(value) => put({ idTokenSigningAlgorithm: ALGORITHMS.find((one) => one === value) ?? 'RS256' })}
        />
        <Line name="acrValues" label={t.acrValues} draft={draft} put={put} />
      </div>
    </details>
  )
}

function hasMoreSettings({ enableGroupSyncing, enableSingleSignOut, idTokenSigningAlgorithm, acrValues }: Draft) {
  return enableGroupSyncing || enableSingleSignOut || idTokenSigningAlgorithm !== 'RS256' || acrValues !== ''
}

function Toggle({ name, label, hint, draft, put }: PartProps & { name: BooleanSetting; label: string; hint?: string }) {
  return (
    <Switch
      label={label}
      description={hint}
      checked={draft[name]}
      onChange={(event) => put({ [name]: event.currentTarget.checked })}
    />
  )
}

type LineProps = PartProps & {
  readonly name: TextSetting
  readonly label: string
  readonly hint?: string
  readonly example?: string
  readonly needed?: boolean
  readonly problem?: ProviderProblem | undefined
}

function Line({ name, label, hint, example, needed = false, problem, draft, put }: LineProps) {
  return (
    <TextInput
      label={label}
      description={hint}
      placeholder={example}
      value={draft[name]}
      maxLength={1000}
      withAsterisk={needed && draft.enabled}
      error={problem?.setting === name}
      onChange={(event) => put({ [name]: event.currentTarget.value })}
    />
  )
}
