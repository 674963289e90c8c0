import type { AdminFeature, AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { Checkbox, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { findLastEvent } from '../../api/events.ts'
import type { FlagEnvironment } from '../../api/flags.ts'
import { FIELDS } from '../../api/queries.ts'
import { setVariants, setVariantsIn } from '../../api/strategies.ts'
import { ConflictNotice } from '../../edit-conflict/conflict-notice.tsx'
import { replaceIfUnchanged, withoutEtag } from '../../edit-conflict/replace-if-unchanged.ts'
import { useConditionalSave } from '../../edit-conflict/use-conditional-save.ts'
import { VariantsImpact } from '../../impact/variants-impact.tsx'
import { useGuards } from '../../proposals/guard.ts'
import { useMayChange } from '../../proposals/may-change.ts'
import { useGuardedEditor } from '../../proposals/use-guarded-editor.ts'
import { EnvironmentBanner } from '../../shell/environment/environment-banner.tsx'
import { STRATEGY_TEXTS } from '../../strategy/texts.ts'
import { useStrategyUndo } from '../../strategy/use-strategy-undo.ts'
import { areValidVariants } from '../../strategy/variant-checks.ts'
import { VariantList } from '../../strategy/variant-list.tsx'
import { distributeWeights } from '../../strategy/weights.ts'
import { useCatalogue, useTexts } from '../../text/texts.tsx'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'
import { Form } from '../../ui/form/form.tsx'
import { withKey } from '../../ui/form/keyed-list.ts'
import { showSuccess } from '../../ui/messages/feedback.ts'
import { FLAG_TEXTS } from '../texts.ts'
import { fetchVariants, saveWithUndo } from './variants-undo.ts'

type Variants = readonly VariantInput[]

interface Props {
  readonly flag: AdminFeature
  readonly environment: AdminFeatureEnvironment
  readonly close: () => void
}

/**
 * Editor of variants. The variants apply to strategies that have no variants of their own. Edits the variants of one
 * environment, or of all environments at once. Reports if another user has changed the variants since the editor was
 * opened.
 */
export function VariantsEditor({ flag, environment, close }: Props) {
  const t = useTexts(FLAG_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS).variants
  const stored = environment.variants as Variants
  const [draft, setDraft] = useState(() => stored.map(withKey))
  const [stickiness, setStickiness] = useState(environment.variants[0]?.stickiness ?? 'default')
  const [isEverywhere, setEverywhere] = useState(false)
  const { open, guarded: leftOut } = useOtherEnvironments(flag)
  const values = distributeWeights(draft.map(({ value }) => ({ ...value, stickiness })))
  const place = { project: flag.project, feature: flag.name, environment: environment.name }
  const guarded = useGuardedEditor(place)
  // If the selected environment has become protected in the meantime, a change request is needed for it, too.
  const chosen = isEverywhere && open.length > 1 && !guarded.isProposal ? open : [environment.name]
  const begin = (theirs: Variants): void => {
    setDraft(theirs.map(withKey))
    setStickiness(theirs[0]?.stickiness ?? 'default')
  }
  const { save, conflict, take } = useSave(place, chosen, { stored, begin, close, guarded })
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="variants"
        event={conflict.event}
        theirs={{ body: toVariantsByName(conflict.theirs) }}
        mine={{ body: toVariantsByName(values) }}
      />
    ),
    take,
  }
  return (
    <SidePanel title={`${t.flag.variants}: ${environment.name}`} close={close}>
      <Form
        save={save}
        close={close}
        isReady={areValidVariants(values)}
        conflict={over}
        draft={[values, isEverywhere]}
        submit={() => save.mutate(values)}
        confirm={() => guarded.confirm(t.flag.variants, { environments: chosen, edit: { variants: values } })}
        note={<VariantsImpact place={place} variants={values} isReady={areValidVariants(values)} />}
        isLong
        {...(guarded.action === undefined ? {} : { action: guarded.action })}
      >
        <EnvironmentBanner name={environment.name} guarded={guarded.banner} />
        <VariantList variants={draft} put={(next) => setDraft([...next])} hint={t.flag.variantsHint} />
        {draft.length > 0 && <Stickiness value={stickiness} put={setStickiness} />}
        {open.length > 1 && !guarded.isProposal && (
          <Checkbox
            label={words.sameEverywhere}
            description={[words.sameHint, ...(leftOut.length > 0 ? [words.sameNot(leftOut.join(', '))] : [])].join(' ')}
            checked={isEverywhere}
            onChange={(event) => setEverywhere(event.currentTarget.checked)}
          />
        )}
      </Form>
    </SidePanel>
  )
}

/**
 * Returns the environments in which the user may change variants: directly (`open`), or only through a change request
 * (`guarded`).
 */
function useOtherEnvironments({ project, environments }: AdminFeature) {
  const may = useMayChange(project)
  const { isGuarded } = useGuards(project)
  const names = environments
    .map(({ name }) => name)
    .filter((environment) => may('UPDATE_FEATURE_ENVIRONMENT_VARIANTS', { project, environment }))
  return { open: names.filter((name) => !isGuarded(name)), guarded: names.filter(isGuarded) }
}

/** Returns variants keyed by name, because differences are reported by variant name. */
function toVariantsByName(variants: Variants): Readonly<Record<string, unknown>> {
  return Object.fromEntries(variants.map(({ name, ...others }) => [name, others]))
}

interface VariantSaveOptions {
  /** Variants that the editor starts with. */
  readonly stored: Variants
  readonly begin: (theirs: Variants) => void
  readonly close: () => void
  readonly guarded: ReturnType<typeof useGuardedEditor>
}

function useSave(
  place: FlagEnvironment,
  environments: readonly string[],
  { stored, begin, close, guarded }: VariantSaveOptions,
) {
  const t = useTexts()
  const { project, feature, environment } = place
  const { check } = useGuards(project)
  const back = useStrategyUndo(place)
  // Outcome of a save, and how to undo it. `isDone` is false if the change was only proposed.
  const outcome = useRef<{ readonly isDone: boolean; readonly undo?: (() => Promise<void>) | undefined }>(undefined)
  const read = async () => (await fetchVariants(place, [environment]))[environment] ?? []
  const write = (from: Variants, names: readonly string[], send: () => Promise<unknown>) =>
    replaceIfUnchanged(from, { read, bodyOf: (one) => one }, async () => {
      outcome.current = { isDone: true, undo: await saveWithUndo(place, names, send) }
    })
  const replace = async (from: Variants, variants: Variants): Promise<void> => {
    outcome.current = undefined
    if (environments.length > 1) {
      const are = await Promise.all(environments.map(check))
      const open = environments.filter((_, index) => are[index] !== true)
      await write(from, open, () => setVariantsIn(place, open, variants))
      return
    }
    const directly = () => write(from, [environment], () => setVariants(place, variants))
    await guarded.save(directly, { action: 'patchVariant', payload: { variants: [...variants] } })
  }
  return useConditionalSave<Variants, Variants>({
    opened: { value: stored, etag: undefined },
    begin,
    create: (variants) => replace(stored, variants),
    replace,
    read: () => withoutEtag(read()),
    bodyOf: (one) => one,
    lastChange: () => {
      const ofType = { type: 'feature-environment-variants-updated', project, flag: feature, env: environment }
      return findLastEvent(ofType, () => true)
    },
    changes: [['flag', project, feature]],
    done: () => {
      close()
      const { isDone = false, undo } = outcome.current ?? {}
      if (isDone) showSuccess(t.common.saved, undo && back(undo))
    },
  })
}

function Stickiness({ value, put }: { value: string; put: (value: string) => void }) {
  const t = useTexts(STRATEGY_TEXTS)
  const { data: fields = [] } = useQuery(FIELDS)
  const sticky = fields.filter((field) => field.stickiness).map(({ name }) => name)
  return (
    <Select
      label={t.strategy.variantSticky}
      description={useCatalogue(STRATEGY_TEXTS).variants.stickiness}
      data={[...new Set(['default', 'random', ...sticky, value])]}
      value={value}
      onChange={(next) => put(next ?? 'default')}
    />
  )
}
