import type { AdminFeature, AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { Checkbox, Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FIELDS } from '../api/queries.ts'
import { setVariants, setVariantsIn } from '../api/strategies.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useGuard } from '../proposals/guard.ts'
import { useGuardedEditor } from '../proposals/use-guarded-editor.ts'
import { EnvironmentBanner } from '../shell/environment/environment-banner.tsx'
import { useMay } from '../shell/session/session.tsx'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { areGoodVariants } from '../strategy/variant-checks.ts'
import { VariantList } from '../strategy/variant-list.tsx'
import { spread } from '../strategy/weights.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { Form } from '../ui/form/form.tsx'
import { keyed } from '../ui/form/keyed-list.ts'
import { tellDone } from '../ui/messages/feedback.ts'
import { FLAG_TEXTS } from './texts.ts'

interface Props {
  readonly flag: AdminFeature
  readonly environment: AdminFeatureEnvironment
  readonly close: () => void
}

/** Variants of an environment, for strategies that have none of their own; or of all environments at once. */
export function VariantsEditor({ flag, environment, close }: Props) {
  const t = useTexts(FLAG_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS).variants
  const [draft, setDraft] = useState(() => (environment.variants as VariantInput[]).map(keyed))
  const [stickiness, setStickiness] = useState(environment.variants[0]?.stickiness ?? 'default')
  const [isEverywhere, setEverywhere] = useState(false)
  const { open, guarded: leftOut } = useOthers(flag)
  const values = spread(draft.map(({ value }) => ({ ...value, stickiness })))
  const place = { project: flag.project, feature: flag.name, environment: environment.name }
  const guarded = useGuardedEditor(place)
  // what is guarded only since it was chosen takes a change request as well
  const chosen = isEverywhere && open.length > 1 && !guarded.isProposal ? open : [environment.name]
  const save = useSave(flag, chosen, { close, guarded })
  return (
    <SidePanel title={`${t.flag.variants}: ${environment.name}`} close={close}>
      <Form
        {...{ save, close, isReady: areGoodVariants(values) }}
        draft={[values, isEverywhere]}
        submit={() => save.mutate(values)}
        confirm={() => guarded.confirm(t.flag.variants, chosen)}
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

/** Environments in which the person may change variants: directly, and by change request only. */
function useOthers({ project, environments }: AdminFeature) {
  const may = useMay()
  const { isGuarded } = useGuard(project)
  const names = environments
    .map(({ name }) => name)
    .filter((environment) => may('UPDATE_FEATURE_ENVIRONMENT_VARIANTS', { project, environment }))
  return { open: names.filter((name) => !isGuarded(name)), guarded: names.filter(isGuarded) }
}

interface Saving {
  readonly close: () => void
  readonly guarded: ReturnType<typeof useGuardedEditor>
}

function useSave(
  { project, name: feature }: AdminFeature,
  environments: readonly string[],
  { close, guarded }: Saving,
) {
  const t = useTexts()
  const refetch = useRefetch()
  const { check } = useGuard(project)
  const [only] = environments
  return useMutation({
    mutationFn: async (variants: readonly VariantInput[]): Promise<boolean> => {
      if (environments.length > 1) {
        const are = await Promise.all(environments.map(check))
        const open = environments.filter((_, index) => are[index] !== true)
        await setVariantsIn({ project, feature }, open, variants)
      } else if (only !== undefined) {
        const directly = () => setVariants({ project, feature, environment: only }, variants)
        return guarded.save(directly, { action: 'patchVariant', payload: { variants } })
      }
      return true
    },
    onSuccess: async (isDone) => {
      await refetch(['flag', project, feature])
      void refetch(['events'])
      close()
      if (isDone) tellDone(t.common.saved)
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
