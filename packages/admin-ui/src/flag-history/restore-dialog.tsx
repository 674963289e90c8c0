import type { FlagHistoryPoint } from '@burgee/protocol/administration/flag-history'
import type { Restoration, RestorationInput } from '@burgee/protocol/administration/flag-restoration'
import { Alert, Checkbox, Skeleton, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FlagRef } from '../api/flags.ts'
import { type PointInTime, previewRestoration, restoreFlag } from '../api/history.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { toLiveEdit } from '../go-live/proposed-edit.ts'
import { useGoLive } from '../go-live/use-go-live.ts'
import { useGuardCheck, useGuards } from '../proposals/guard.ts'
import { useFlagDraft } from '../proposals/use-flag-draft.ts'
import { usePropose } from '../proposals/use-propose.ts'
import { EnvironmentChip, useEnvironmentType } from '../shell/environment/environment-chip.tsx'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { ProblemNotice } from '../ui/page/problem.tsx'
import { Differences } from './difference-list.tsx'
import { HISTORY_TEXTS } from './texts.ts'

interface Props extends FlagRef {
  readonly moment: PointInTime
  readonly state: FlagHistoryPoint
  /** Environment that is selected initially; null for the details of the flag. */
  readonly first: string | null
  readonly close: () => void
}

/** Dialog that restores a flag to a past state, with a preview of what changes and who would get the flag. */
export function RestoreDialog(props: Props) {
  const t = useTexts(HISTORY_TEXTS)
  const { project, feature, moment, close } = props
  const { data, error, refetch } = useQuery({
    queryKey: ['restoration', project, feature, moment],
    queryFn: () => previewRestoration({ project, feature }, moment),
    // The initial selection depends on the preview, so the preview must not come from the cache.
    gcTime: 0,
  })
  return (
    <Dialog title={t.restoreTitle(feature)} close={close}>
      {error !== null && <ProblemNotice error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={160} role="status" aria-label={t.common.loading} />}
      {data !== undefined && <RestoreForm {...props} preview={data} />}
    </Dialog>
  )
}

type RestoredEnvironment = Restoration['environments'][number]
type RestoredDetail = NonNullable<RestorationInput['details']>[number]

function RestoreForm({ project, feature, moment, state, first, close, preview }: Props & { preview: Restoration }) {
  const t = useTexts(HISTORY_TEXTS)
  const { isGuarded } = useGuards(project)
  const places = preview.environments.filter(({ changes }) => changes.length > 0)
  const [chosen, setChosen] = useState(places.filter((one) => one.environment === first).map((one) => one.environment))
  const [hasDetails, setHasDetails] = useState(first === null && preview.details.length > 0)
  const own = places.filter(({ environment }) => chosen.includes(environment))
  const { save, confirm } = useRestoration({ project, feature }, { moment, preview, own, hasDetails, close })
  if (places.length + preview.details.length === 0) return <p>{t.nothingToRestore}</p>
  const toggle = (name: string, isOn: boolean): void =>
    setChosen(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))
  return (
    <Form
      save={save}
      close={close}
      confirm={confirm}
      draft={undefined}
      isReady={own.length > 0 || hasDetails}
      submit={() => save.mutate()}
      action={
        own.length > 0 && !hasDetails && own.every(({ environment }) => isGuarded(environment)) ? t.propose : t.restore
      }
      isDanger={own.some(({ opens }) => opens !== 'nobody')}
    >
      <p>{t.restoreText}</p>
      <Stack gap="md">
        {preview.details.length > 0 && (
          <div>
            <Checkbox
              label={t.details}
              checked={hasDetails}
              onChange={(event) => setHasDetails(event.currentTarget.checked)}
            />
            {hasDetails && (
              <Stack gap="xs" mt="xs" ml="xl">
                <Differences changes={preview.details} segments={state.segments} />
              </Stack>
            )}
          </div>
        )}
        {places.map((place) => (
          <EnvironmentChoice
            key={place.environment}
            flag={{ project, feature }}
            place={place}
            state={state}
            isGuarded={isGuarded(place.environment)}
            isChosen={chosen.includes(place.environment)}
            choose={(isOn) => toggle(place.environment, isOn)}
          />
        ))}
      </Stack>
    </Form>
  )
}

interface RestorationOptions {
  readonly moment: PointInTime
  readonly preview: Restoration
  /** Selected environments. */
  readonly own: readonly RestoredEnvironment[]
  /** True if the details of the flag are restored too. */
  readonly hasDetails: boolean
  readonly close: () => void
}

/**
 * Returns a mutation that restores the selected environments. Restores unprotected environments directly, after
 * confirmation if real users are affected. For protected environments, adds the changes to the user's draft instead.
 * After a partial failure, a retry skips the parts that are already restored. The preview is refetched after a failure.
 */
function useRestoration(
  { project, feature }: FlagRef,
  { moment, preview, own, hasDetails, close }: RestorationOptions,
) {
  const t = useTexts(HISTORY_TEXTS)
  const goLive = useGoLive()
  const refetch = useRefetch()
  const propose = usePropose()
  const isGuarded = useGuardCheck()
  const liveAmong = useLiveCheck()
  const proposed = useRef(new Set<string>())
  const parted = async () => {
    const are = await Promise.all(own.map(({ environment }) => isGuarded({ project, environment })))
    const direct = own.filter((_, index) => are[index] !== true).map(({ environment }) => environment)
    return { direct, guarded: own.filter((_, index) => are[index] === true) }
  }
  const save = useMutation({
    mutationFn: async (): Promise<void> => {
      const { direct, guarded } = await parted()
      if (direct.length > 0 || hasDetails) {
        const environments = direct.length > 0 ? { environments: direct } : {}
        const details = hasDetails ? { details: preview.details.map(({ part }) => part as RestoredDetail) } : {}
        await restoreFlag(
          { project, feature },
          { ...moment, ...environments, ...details, lastEventId: preview.lastEventId },
        )
        showSuccess(direct.length > 0 ? t.restored(feature, direct.join(', ')) : t.restoredDetails(feature))
        await refetch(['flag', project, feature], ['flags'], ['past-flag', project, feature], ['events'])
      }
      for (const { environment, changes } of guarded) {
        if (!proposed.current.has(environment)) await propose({ project, environment }, changes)
        proposed.current.add(environment)
      }
    },
    // The new preview no longer contains the restored parts, so they are not restored again.
    onError: () => refetch(['restoration', project, feature]),
    onSuccess: close,
  })
  const confirm = async (): Promise<boolean> => {
    const live = await liveAmong((await parted()).direct)
    if (live.length === 0) return true
    const items = own
      .filter(({ environment }) => live.includes(environment))
      .map(({ environment, changes }) => ({
        place: { project, feature, environment },
        edits: changes.map(toLiveEdit).filter((edit) => edit !== undefined),
      }))
    const question = { title: t.liveTitle(feature, live.join(', ')), action: t.restore, isDanger: true }
    return goLive({ items, question, note: t.liveText, isGuarded: false })
  }
  return { save, confirm }
}

interface EnvironmentChoiceProps {
  readonly flag: FlagRef
  readonly place: RestoredEnvironment
  readonly state: FlagHistoryPoint
  readonly isGuarded: boolean
  readonly isChosen: boolean
  readonly choose: (isOn: boolean) => void
}

function EnvironmentChoice({
  flag,
  place: { environment, opens, staysOff, differences },
  state,
  ...props
}: EnvironmentChoiceProps) {
  const t = useTexts(HISTORY_TEXTS)
  const draft = useFlagDraft({ ...flag, environment })
  const isProduction = useEnvironmentType()(environment) === 'production'
  return (
    <div>
      <Checkbox
        label={<EnvironmentChip name={environment} />}
        aria-label={environment}
        checked={props.isChosen}
        onChange={(event) => props.choose(event.currentTarget.checked)}
      />
      {props.isChosen && (
        <Stack gap="xs" mt="xs" ml="xl">
          {opens !== 'nobody' && (
            <Alert color={isProduction ? 'red' : 'yellow'} role="alert">
              {opens === 'turns-on' ? t.turnsOn(environment) : t.changesWho(environment)}
            </Alert>
          )}
          {staysOff && <Alert color="yellow">{t.staysOff}</Alert>}
          {props.isGuarded && <Alert>{t.isGuarded}</Alert>}
          {draft !== undefined && <Alert color="yellow">{t.isInDraft}</Alert>}
          <Differences changes={differences.map(({ environment: _one, ...rest }) => rest)} segments={state.segments} />
        </Stack>
      )}
    </div>
  )
}
