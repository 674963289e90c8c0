import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { Alert } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { checkArchive } from '../../api/bulk.ts'
import { ENVIRONMENTS } from '../../api/queries.ts'
import { LiveItems } from '../../go-live/live-items.tsx'
import { type LiveItem, listArchiveItems } from '../../go-live/planned-change.ts'
import { useGuards } from '../../proposals/guard.ts'
import { useMayChange } from '../../proposals/may-change.ts'
import { PROPOSAL_TEXTS } from '../../proposals/texts.ts'
import { useDraftedFlags } from '../../proposals/use-flag-draft.ts'
import { EnvironmentBanner } from '../../shell/environment/environment-banner.tsx'
import { findEnvironment, isLive } from '../../shell/environment/production.ts'
import { useCatalogue, useFormat, useTexts } from '../../text/texts.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import styles from '../flags.module.css'
import { ArchiveUsage } from './archive-usage.tsx'
import { type BulkAction, type BulkKind, filterChanged, listActivated } from './bulk-action.ts'
import { BulkFields } from './bulk-fields.tsx'
import { getBulkTitle } from './bulk-sentences.ts'
import { useFlagUsage } from './flag-usage.ts'
import { useBulkActions } from './use-bulk-actions.ts'

const MAX_NAMES = 8

interface Props {
  readonly project: string
  readonly kind: BulkKind
  readonly flags: readonly FeatureListItem[]
  /** True if the displayed flags are archived. */
  readonly isArchived: boolean
  /** Called when the dialog closes; `isDone` is true if the action was performed. */
  readonly close: (isDone: boolean) => void
}

/** Dialog of a bulk action. The user chooses the action, reviews the summary and runs the action. */
export function BulkDialog(props: Props) {
  const t = useTexts()
  const { number } = useFormat()
  const { kind, flags, isArchived } = props
  const title = kind === 'archive' && !isArchived ? t.bulk.archiveTitle : t.bulk.title
  return (
    <Dialog close={() => props.close(false)} title={title(flags.length, number(flags.length))} size="md">
      <Fields {...props} />
    </Dialog>
  )
}

function Fields({ project, kind, flags, isArchived, close }: Props) {
  const t = useTexts()
  const own = useCatalogue(PROPOSAL_TEXTS)
  const run = useBulkActions(project)
  const environments = useEnvironments(project, flags)
  const [action, setAction] = useState<BulkAction>(() => getInitialAction(kind, environments, isArchived))
  const { chosen, usages, includesUsed, includeUsed, label } = useUnusedFirst(action, flags)
  const drafted = useDraftedFlags({ project, environment: action.kind === 'switch' ? action.environment : '' })
  const changed = filterChanged(action, chosen, drafted)
  const activates = listActivated(action, flags).length
  const defaults = countDefaults(action, changed)
  const check = useArchiveCheck(project, action, changed)
  const isComplete = action.kind !== 'tag' || (action.tag.type !== '' && action.tag.value.trim().length > 1)
  const { isProposal, isServed, draftEnvironment } = useEnvironmentImpact(project, action, environments)
  const items = useLiveItems(project, action, changed)
  const guarded = isProposal ? describeGuard(own, action, draftEnvironment ?? '') : undefined
  const isReady = isComplete && changed.length > 0 && (check === undefined || check.parents.length === 0)
  const save = useMutation({ mutationFn: () => run(action, chosen), onSuccess: () => close(true) })
  return (
    <Form
      save={save}
      isReady={isReady}
      // Only a typed tag counts as unsaved input, because a selected option is easily selected again.
      draft={action.kind === 'tag' ? action.tag : undefined}
      submit={() => save.mutate()}
      close={() => close(false)}
      action={isProposal ? own.action : (label ?? getBulkTitle(t, action))}
      isDanger={isServed || (isRemoval(action) && !isProposal)}
    >
      <BulkFields action={action} put={setAction} environments={environments.map(({ name }) => name)} />
      {isComplete && <Summary action={action} flags={chosen} changed={changed} />}
      {usages.length > 0 && <ArchiveUsage usages={usages} includesUsed={includesUsed} includeUsed={includeUsed} />}
      {defaults > 0 && <Alert color="yellow">{t.bulk.addsDefault(defaults)}</Alert>}
      {activates > 0 && <Alert color="yellow">{t.bulk.enablesDisabled(activates)}</Alert>}
      {isProposal && items.length === 0 && draftEnvironment !== undefined && (
        <EnvironmentBanner name={draftEnvironment} guarded={guarded} />
      )}
      {items.length > 0 && <LiveItems items={items} guarded={guarded} />}
      {check !== undefined && check.parents.length > 0 && (
        <Alert color="red" role="alert">
          {t.bulk.parents(check.parents.join(', '))}
        </Alert>
      )}
      {check?.losesParents && <Alert color="yellow">{t.bulk.losesParents}</Alert>}
    </Form>
  )
}

/**
 * Returns the flags to which an archive action applies. Flags that code still requests are archived only if the user
 * includes them, or if all selected flags are still in use.
 */
function useUnusedFirst(action: BulkAction, flags: readonly FeatureListItem[]) {
  const t = useTexts()
  const { number } = useFormat()
  const [includesUsed, includeUsed] = useState(false)
  const needsUsage = isRemoval(action)
  const usages = useFlagUsage(needsUsage ? filterChanged(action, flags) : [])
  const unused = usages.filter(({ isUsed }) => !isUsed).map(({ flag }) => flag)
  const isMixed = unused.length > 0 && unused.length < usages.length
  const label = includesUsed
    ? t.bulk.archiveAll(number(usages.length))
    : t.bulk.archiveUnused(unused.length, number(unused.length))
  return {
    usages,
    includesUsed,
    includeUsed,
    chosen: isMixed && !includesUsed ? unused : flags,
    label: isMixed ? label : undefined,
  }
}

/** Counts the flags that would get the project's default strategy when turned on, because they have no strategy. */
function countDefaults(action: BulkAction, changed: readonly FeatureListItem[]): number {
  if (action.kind !== 'switch' || !action.on) return 0
  return changed.filter(({ environments }) =>
    environments.some(({ name, hasStrategies }) => name === action.environment && !hasStrategies),
  ).length
}

const isRemoval = (action: BulkAction): boolean => action.kind === 'archive' && action.archived

function getInitialAction(kind: BulkKind, environments: readonly { name: string }[], isArchived: boolean): BulkAction {
  switch (kind) {
    case 'tag':
      return { kind, tag: { type: 'simple', value: '' }, add: true }
    case 'switch':
      return { kind, environment: environments[0]?.name ?? '', on: true }
    case 'stale':
      return { kind, stale: true }
    case 'archive':
      return { kind, archived: !isArchived }
  }
}

/** Returns those environments of the flags in which the user may turn them on or off. */
function useEnvironments(project: string, flags: readonly FeatureListItem[]) {
  const may = useMayChange(project)
  const found = new Map(flags.flatMap(({ environments }) => environments.map((one) => [one.name, one] as const)))
  return [...found.values()]
    .sort((a, b) => a.sortOrder - b.sortOrder)
    .filter(({ name }) => may('UPDATE_FEATURE_ENVIRONMENT', { project, environment: name }))
}

/** Returns whether switching the flags needs a change request, and whether it affects real users immediately. */
function useEnvironmentImpact(project: string, action: BulkAction, environments: ReturnType<typeof useEnvironments>) {
  const { isGuarded, draftEnvironment } = useGuards(project)
  const { data } = useQuery(ENVIRONMENTS)
  const here = action.kind === 'switch' ? environments.find(({ name }) => name === action.environment) : undefined
  if (isRemoval(action)) {
    return { isProposal: draftEnvironment !== undefined, isServed: false, draftEnvironment }
  }
  const isProposal = here !== undefined && isGuarded(here.name)
  const isServed = here !== undefined && isLive({ ...findEnvironment(data, here.name), type: here.type })
  return { isProposal, isServed: isServed && !isProposal, draftEnvironment: here?.name }
}

/** Returns the changes that an action makes for real users, for flags and environments in the order of the list. */
function useLiveItems(project: string, action: BulkAction, changed: readonly FeatureListItem[]): readonly LiveItem[] {
  const { data } = useQuery(ENVIRONMENTS)
  const { isGuarded } = useGuards(project)
  const isServed = (name: string, type: string) => isLive({ ...findEnvironment(data, name), type })
  if (isRemoval(action)) {
    return changed.flatMap((flag) => {
      const served = flag.environments.filter(({ name, type }) => isServed(name, type)).map(({ name }) => name)
      return listArchiveItems(project, flag, (name) => served.includes(name))
    })
  }
  if (action.kind !== 'switch') return []
  const { environment, on } = action
  const activated = new Set(listActivated(action, changed))
  return changed.flatMap(({ name, environments }) => {
    const here = environments.find((one) => one.name === environment)
    if (here === undefined || !(isServed(environment, here.type) || isGuarded(environment))) return []
    const edit = { enabled: on, ...(activated.has(name) ? { activate: true } : {}) }
    return [{ place: { project, feature: name, environment }, edits: [edit] }]
  })
}

/** Returns the text that explains why an action is added to a draft. */
function describeGuard(
  { banner, sharedBanner }: { banner: (name: string) => string; sharedBanner: (name: string) => string },
  action: BulkAction,
  environment: string,
): string {
  return isRemoval(action) ? sharedBanner(environment) : banner(environment)
}

/** Checks how archiving affects flags that depend on each other. */
function useArchiveCheck(project: string, action: BulkAction, changed: readonly FeatureListItem[]) {
  const needsUsage = isRemoval(action) && changed.length > 0
  const { data } = useQuery({
    queryKey: ['archive-check', project, changed.map(({ name }) => name)],
    queryFn: () =>
      checkArchive(
        project,
        changed.map(({ name }) => name),
      ),
    enabled: needsUsage,
    staleTime: 0,
  })
  if (!needsUsage || data === undefined) return undefined
  return { parents: data.parentsWithChildFeatures, losesParents: data.hasDeletedDependencies }
}

/** Summary: which flags change, and which are already in the requested state. */
function Summary(props: {
  action: BulkAction
  flags: readonly FeatureListItem[]
  changed: readonly FeatureListItem[]
}) {
  const t = useTexts()
  const { number } = useFormat()
  const { action, flags, changed } = props
  const same = flags.length - changed.length
  // If flags will be archived, they are listed with their usage.
  const names = isRemoval(action) ? [] : changed.slice(0, MAX_NAMES).map(({ name }) => name)
  const rest = changed.length - names.length
  return (
    <div className={styles.summary} role="status">
      <p>
        {isRemoval(action) &&
          changed.length > 0 &&
          `${changed.length === 1 ? t.flags.archiveText : t.bulk.archiveText} `}
        <strong>{t.bulk.willChange(changed.length, number(changed.length))}</strong>
      </p>
      {names.length > 0 && (
        <ul>
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
          {rest > 0 && <li>{t.bulk.andMore(number(rest))}</li>}
        </ul>
      )}
      {same > 0 && <p>{t.bulk.areSo(same, number(same))}</p>}
    </div>
  )
}
