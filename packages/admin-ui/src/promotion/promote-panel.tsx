import { PROMOTED_PARTS, type PromotedPart, type PromotionPlan } from '@burgee/protocol/administration/promotion'
import { Alert, Checkbox, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EnvironmentRef } from '../api/change-requests.ts'
import { useGuards } from '../proposals/guard.ts'
import { PROPOSAL_TEXTS } from '../proposals/texts.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { FieldGroup } from '../ui/form/field-group.tsx'
import { Form } from '../ui/form/form.tsx'
import { ProblemNotice } from '../ui/page/problem.tsx'
import { PlanPreview } from './plan-preview.tsx'
import { getPlanQuery } from './promotion-calls.ts'
import { PROMOTION_TEXTS } from './texts.ts'
import { findConflictingFlags, useFormatNames, usePromotion } from './use-promotion.ts'

interface Props {
  readonly title: string
  /** Project, and the environment in which flags change. */
  readonly place: EnvironmentRef
  /** Possible source environments. Environments to copy from; the first one is the default. */
  readonly sources: readonly string[]
  readonly features: readonly string[]
  /** Initially selected parts. */
  readonly parts: readonly PromotedPart[]
  readonly close: () => void
}

/**
 * Panel for copying parts of flags from another environment. The user selects the parts, previews the changes and
 * applies the changes.
 */
export function PromotePanel({ title, ...props }: Props) {
  return (
    <SidePanel title={title} close={props.close} isWide>
      <PromoteForm {...props} />
    </SidePanel>
  )
}

function PromoteForm({ place, sources, features, parts: first, close }: Omit<Props, 'title'>) {
  const own = useCatalogue(PROMOTION_TEXTS)
  const proposals = useCatalogue(PROPOSAL_TEXTS)
  const { environment, project } = place
  const [from, setFrom] = useState(sources[0] ?? '')
  const [parts, setParts] = useState(first)
  const isProposal = useGuards(project).isGuarded(environment)
  const plan = useQuery({
    ...getPlanQuery(place, { from, features: [...features], parts: [...parts] }),
    enabled: parts.length > 0,
  })
  const { save, confirm } = usePromotion(place, close)
  const count = plan.data?.features.length ?? 0
  const isAllowed = isProposal || plan.data?.missingPermissions.length === 0
  const moved = findConflictingFlags(save.error)
  return (
    <Form
      save={moved === undefined ? save : { ...save, error: null }}
      close={close}
      isLong={true}
      draft={undefined}
      isReady={count > 0 && isAllowed && !plan.isFetching}
      confirm={async () => plan.data !== undefined && confirm(plan.data)}
      submit={() => plan.data !== undefined && save.mutate({ from, parts, plan: plan.data })}
      action={isProposal ? proposals.action : own.apply(count, environment)}
    >
      {isProposal && <Alert color="teal">{proposals.banner(environment)}</Alert>}
      <Text fw={600}>{own.direction(from, environment)}</Text>
      {sources.length > 1 && (
        <NativeSelect
          label={own.source}
          data={[...sources]}
          value={from}
          data-autofocus
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
      )}
      <PartChoice parts={parts} choose={setParts} />
      {moved !== undefined && <ConflictNote names={moved} />}
      {parts.length > 0 && (
        <Preview
          place={place}
          parts={parts}
          isAllowed={isAllowed}
          isProposal={isProposal}
          answer={plan}
          total={features.length}
        />
      )}
    </Form>
  )
}

function ConflictNote({ names }: { names: readonly string[] }) {
  const own = useCatalogue(PROMOTION_TEXTS)
  const namesOf = useFormatNames()
  return (
    <Alert color="red" role="alert">
      {own.moved(namesOf(names))}
    </Alert>
  )
}

interface ChoiceProps {
  readonly parts: readonly PromotedPart[]
  readonly choose: (parts: readonly PromotedPart[]) => void
}

function PartChoice({ parts, choose }: ChoiceProps) {
  const own = useCatalogue(PROMOTION_TEXTS)
  return (
    <FieldGroup title={own.what}>
      <Stack gap="xs">
        {(['strategies', 'variants', 'enabled'] as const).map((part) => (
          <Checkbox
            key={part}
            label={own.parts[part]}
            description={own.partHints[part]}
            checked={parts.includes(part)}
            onChange={({ currentTarget: { checked } }) =>
              choose(PROMOTED_PARTS.filter((one) => (one === part ? checked : parts.includes(one))))
            }
          />
        ))}
        {parts.length === 0 && (
          <Text size="sm" c="var(--bad)" role="alert">
            {own.chooseParts}
          </Text>
        )}
      </Stack>
    </FieldGroup>
  )
}

interface PreviewProps {
  readonly place: EnvironmentRef
  readonly parts: readonly PromotedPart[]
  readonly isAllowed: boolean
  readonly isProposal: boolean
  /** Number of selected flags. */
  readonly total: number
  readonly answer: {
    readonly data: PromotionPlan | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
}

function Preview({ place, parts, isAllowed, isProposal, total, answer: { data, error, refetch } }: PreviewProps) {
  const t = useTexts()
  const own = useCatalogue(PROMOTION_TEXTS)
  if (error !== null && data === undefined) return <ProblemNotice error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={160} role="status" aria-label={t.common.loading} />
  return (
    <>
      {!isAllowed && data.features.length > 0 && (
        <Alert color="red" role="alert">
          {own.mayNot(place.environment)}
        </Alert>
      )}
      <PlanPreview
        plan={data}
        environment={place.environment}
        parts={parts}
        isProposal={isProposal}
        unchanged={total - data.features.length}
      />
    </>
  )
}
