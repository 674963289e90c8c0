import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { DependencyInput } from '@burgee/protocol/batch'
import { Alert, MultiSelect, Radio, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchParentVariants, fetchPossibleParents, setParent } from '../../api/dependencies.ts'
import type { FlagRef } from '../../api/flags.ts'
import { PROPOSAL_TEXTS } from '../../proposals/texts.ts'
import { useSharedDraft } from '../../proposals/use-shared-draft.ts'
import { ParentGaps } from '../../sdk-differences/strategy-gaps.tsx'
import { useCatalogue } from '../../text/texts.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { FLAG_TEXTS } from '../texts.ts'
import { ParentEffects } from './parent-effects.tsx'
import { useConfirmParent } from './use-confirm-parent.ts'

interface Props {
  readonly flag: AdminFeature
  /** Current parent. */
  readonly parent: DependencyInput | undefined
  readonly close: () => void
  /** Called with the previous and the new parent after a save, or with undefined if the change was only proposed. */
  readonly saved: (
    parents: { readonly before: DependencyInput | undefined; readonly after: DependencyInput } | undefined,
  ) => void
}

type RequiredState = 'on' | 'with' | 'off'

/** Dialog that selects the parent of a flag and its required state. */
export function ParentEditor({ flag, parent, close, saved }: Props) {
  const place = { project: flag.project, feature: flag.name }
  const { dependencies: words } = useCatalogue(FLAG_TEXTS)
  const [feature, setFeature] = useState(parent?.feature ?? '')
  const [must, setMust] = useState<RequiredState>(getRequiredState(parent))
  const [variants, setVariants] = useState<string[]>(parent?.variants ?? [])
  const question = useConfirmParent(place)
  const shared = useSharedDraft(place.project)
  const proposals = useCatalogue(PROPOSAL_TEXTS)
  const title = parent === undefined ? words.add : words.change
  const isReady = feature !== '' && (must !== 'with' || variants.length > 0)
  const next = { feature, enabled: must !== 'off', variants: must === 'with' ? variants : [] }
  const save = useMutation({
    mutationFn: async () => {
      const draft = await shared.find()
      if (draft !== undefined) {
        await shared.propose(draft, [{ feature: flag.name, action: 'addDependency', payload: next }])
        return undefined
      }
      await setParent(place, next)
      // Return the previous parent too, because the page may already show the new parent by then.
      return { before: parent, after: next }
    },
    onSuccess: saved,
  })
  return (
    <Dialog opened close={close} title={title}>
      <Form
        save={save}
        close={close}
        isReady={isReady}
        draft={[feature, must, variants]}
        submit={() => save.mutate()}
        confirm={() => question(title, next)}
        {...(shared.environment === undefined ? {} : { action: proposals.action })}
      >
        {shared.environment !== undefined && <Alert color="teal">{proposals.sharedBanner(shared.environment)}</Alert>}
        <Text size="sm">{words.intro}</Text>
        <ParentSelect place={place} value={feature} put={setFeature} />
        <Radio.Group label={words.must} value={must} onChange={(next) => setMust(next as RequiredState)}>
          <Stack gap="xs" mt={6}>
            <Radio value="on" label={words.onAny} />
            <Radio value="with" label={words.onWith} />
            <Radio value="off" label={words.isOff} />
          </Stack>
        </Radio.Group>
        {must === 'with' && <VariantSelect place={{ ...place, feature }} value={variants} put={setVariants} />}
        {feature !== '' && <ParentGaps place={place} parent={next} />}
        <ParentEffects flag={flag} before={parent} after={isReady ? next : undefined} />
      </Form>
    </Dialog>
  )
}

function getRequiredState(parent: DependencyInput | undefined): RequiredState {
  if (parent?.enabled === false) return 'off'
  return (parent?.variants ?? []).length > 0 ? 'with' : 'on'
}

function ParentSelect(props: { place: FlagRef; value: string; put: (feature: string) => void }) {
  const { dependencies: words } = useCatalogue(FLAG_TEXTS)
  const { place, value, put } = props
  const { data = [], isPending } = useQuery({
    queryKey: ['flag', place.project, place.feature, 'parents'],
    queryFn: () => fetchPossibleParents(place),
  })
  const names = value === '' || data.includes(value) ? data : [value, ...data]
  return (
    <Select
      label={words.parent}
      data={names}
      value={value === '' ? null : value}
      searchable
      limit={50}
      disabled={isPending}
      error={!isPending && names.length === 0 && words.noParents}
      data-autofocus
      onChange={(name) => put(name ?? '')}
    />
  )
}

function VariantSelect(props: { place: FlagRef; value: string[]; put: (variants: string[]) => void }) {
  const { dependencies: words } = useCatalogue(FLAG_TEXTS)
  const { place, value, put } = props
  const { data = [] } = useQuery({
    queryKey: ['flag', place.project, place.feature, 'variants'],
    queryFn: () => fetchParentVariants(place),
    enabled: place.feature !== '',
  })
  return (
    <MultiSelect
      label={words.variants}
      data={[...new Set([...data, ...value])]}
      value={value}
      searchable
      onChange={put}
    />
  )
}
