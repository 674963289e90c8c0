import type { ChangeRequest, ChangeRequestState } from '@burgee/protocol/administration/change-request'
import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { discardRequest, setChangeRequestState } from '../api/change-requests.ts'
import type { LiveItem } from '../go-live/planned-change.ts'
import { toLiveEdit } from '../go-live/proposed-edit.ts'
import { useGoLive } from '../go-live/use-go-live.ts'
import { countChanges } from '../proposals/change-count.ts'
import { useCatalogue } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { type UserAction, useAction } from '../ui/messages/use-action.ts'
import { useRequestRights } from './request-rights.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { SendDialog } from './send-dialog.tsx'
import { REQUEST_TEXTS } from './texts.ts'

/**
 * Key prefixes of the queries to refetch after a state transition. Flag queries are included, because applying a
 * request changes flags.
 */
const AFFECTED_QUERIES = ['change-request', 'change-requests', 'flags', 'flag', 'segments']

/** Buttons for the actions on a change request. Shows only the actions that the user may take. */
export function RequestActions({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const rights = useRequestRights(request)
  const [isOpen, setOpen] = useState(false)
  const { step, approveAndApply } = useRequestSteps(request)
  const confirmApply = useConfirmApply(request)
  return (
    <Group gap="xs">
      <WithdrawActions request={request} />
      {rights.mayApproveAndApply && (
        <Button variant="default" onClick={() => void approveAndApply(() => confirmApply(t.approveAndApply))}>
          {t.approveAndApply}
        </Button>
      )}
      {rights.mayApprove && (
        <Button onClick={() => void step('Approved', t.approve, t.approveDone)}>{t.approve}</Button>
      )}
      {rights.maySend && <Button onClick={() => setOpen(true)}>{t.send}</Button>}
      {isOpen && <SendDialog request={request} close={() => setOpen(false)} />}
    </Group>
  )
}

/**
 * Buttons that apply an approved change request. The buttons are placed apart from the approval, so that no single
 * click both approves and applies.
 */
export function ApplyActions({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const rights = useRequestRights(request)
  const [isScheduling, setScheduling] = useState(false)
  const confirmApply = useConfirmApply(request)
  const { step } = useRequestSteps(request)
  if (!rights.mayApply) return null
  return (
    <Group gap="xs">
      <Button onClick={() => void step('Applied', t.apply, t.applyDone, () => confirmApply(t.apply))}>{t.apply}</Button>
      <Button variant="default" onClick={() => setScheduling(true)}>
        {request.state === 'Scheduled' ? t.scheduleAgain : t.schedule}
      </Button>
      {isScheduling && <ScheduleDialog request={request} close={() => setScheduling(false)} />}
    </Group>
  )
}

/**
 * Returns a function that shows the changes that will go live and asks for confirmation before a request is applied.
 * `action` is the button's label.
 */
function useConfirmApply(request: ChangeRequest): (action: string) => Promise<boolean> {
  const t = useCatalogue(REQUEST_TEXTS)
  const goLive = useGoLive()
  const ask = useConfirm()
  return async (action) => {
    const count = countChanges(request)
    const title = t.applyTitle(count, request.environment)
    const items = listLiveItems(request)
    if (items.length === 0) return ask({ title, text: t.applySoon, action })
    const note = count === 1 ? {} : { note: t.applyTogether }
    return goLive({ items, question: { title, action }, ...note, isGuarded: false })
  }
}

/** Returns the flags in a request whose audience its changes may affect. */
function listLiveItems({ project, environment, features }: ChangeRequest): LiveItem[] {
  return features.flatMap(({ name, changes }) => {
    const edits = changes.map(toLiveEdit).filter((edit) => edit !== undefined)
    return edits.length === 0 ? [] : [{ place: { project, feature: name, environment }, edits }]
  })
}

/** Buttons that close or withdraw a change request. */
function WithdrawActions({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const rights = useRequestRights(request)
  const { step, discard } = useRequestSteps(request)
  const gone = request.state === 'Draft' ? t.discard : t.discardGone
  const cancel = () =>
    step('Cancelled', t.cancel, t.cancelDone, { title: t.cancelTitle, text: t.cancelText, action: t.cancel })
  const reject = () => {
    const question = { title: t.rejectTitle, text: t.rejectText, action: t.reject, isDanger: true }
    return step('Rejected', t.reject, t.rejectDone, question)
  }
  return (
    <>
      {rights.mayDiscard && (
        <Button variant="default" onClick={() => void discard(gone)}>
          {gone}
        </Button>
      )}
      {rights.mayCancel && (
        <Button variant="default" onClick={() => void cancel()}>
          {t.cancel}
        </Button>
      )}
      {rights.mayReopen && (
        <Button variant="default" onClick={() => void step('Draft', t.reopen, t.reopenDone)}>
          {t.reopen}
        </Button>
      )}
      {rights.mayReject && (
        <Button variant="default" c="var(--bad)" onClick={() => void reject()}>
          {t.reject}
        </Button>
      )}
    </>
  )
}

function useRequestSteps(request: ChangeRequest) {
  const t = useCatalogue(REQUEST_TEXTS)
  const act = useAction()
  const navigate = useNavigate()
  const step = (state: ChangeRequestState, what: string, done: string, ask?: UserAction['ask']): Promise<boolean> => {
    const run: UserAction['run'] = () => setChangeRequestState(request, { state })
    return act({ what, run, done, changes: AFFECTED_QUERIES, ...(ask === undefined ? {} : { ask }) })
  }
  const approveAndApply = (ask: () => Promise<boolean>): Promise<boolean> =>
    act({
      what: t.approveAndApply,
      ask,
      run: async () => {
        await setChangeRequestState(request, { state: 'Approved' })
        await setChangeRequestState(request, { state: 'Applied' })
      },
      done: t.applyDone,
      changes: AFFECTED_QUERIES,
    })
  const discard = (what: string): Promise<boolean> =>
    act({
      what,
      ask: { title: t.discardTitle, text: t.discardText, action: what, isDanger: true },
      run: async () => {
        await discardRequest(request)
        // Navigate first, so that the page of the removed request does not refetch the request.
        await navigate({ to: '/projects/$project/change-requests', params: { project: request.project } })
      },
      done: t.discarded,
      changes: ['change-requests'],
    })
  return { step, approveAndApply, discard }
}
