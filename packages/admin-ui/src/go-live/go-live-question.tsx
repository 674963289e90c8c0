import type { QueryClient } from '@tanstack/react-query'
import type { FlagEnvironment } from '../api/flags.ts'
import { SEGMENTS } from '../api/queries.ts'
import { listEnabledStrategies } from '../impact/edit-effect.ts'
import { PROPOSAL_TEXTS } from '../proposals/texts.ts'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import type { Texts } from '../text/en.ts'
import type { Language } from '../text/languages.ts'
import type { Question } from '../ui/dialog/question.ts'
import { applyEdits, type DescribedStrategy } from './flag-edit.ts'
import { GoLiveDetails } from './go-live-details.tsx'
import { type LiveItem, type PlannedChange, planChanges } from './planned-change.ts'
import { GO_LIVE_TEXTS } from './texts.ts'

/** Change to flags that goes live or is added to a draft once the user confirms it. */
export interface LiveChange {
  /** Edited flags. The affected environments either all require change requests, or none of them does. */
  readonly items: readonly LiveItem[]
  /** Title and button of the confirmation question, for changes other than turning one flag on or off. */
  readonly question?: Pick<Question, 'title' | 'action' | 'isDanger' | 'other'>
  /** Additional text about the change. */
  readonly note?: string
  /** True if the environment accepts changes only through a change request. */
  readonly isGuarded: boolean
}

interface Resources {
  readonly queries: QueryClient
  readonly t: Texts
  readonly language: Language
  /** Opens the editor of a strategy. If no strategy is given, opens the editor for a new one. */
  readonly editStrategy: (place: FlagEnvironment, id: string | undefined) => void
}

/** Maximum length, in characters, of the audience's description in a title. */
const MAX_AUDIENCE_LENGTH = 70

/**
 * Builds the confirmation question that is shown before a change goes live. Rejects with ApiError if a flag cannot be
 * read.
 */
export async function buildGoLiveQuestion(change: LiveChange, resources: Resources): Promise<Question> {
  const { items, isGuarded, question, note } = change
  const { queries, language } = resources
  const proposals = PROPOSAL_TEXTS[language]
  const changes = await planChanges(queries, items)
  const [first] = changes
  const { title, action, isDanger, other } = question ?? (await buildSwitchQuestion(first, resources))
  return {
    title,
    text: (
      <GoLiveDetails
        changes={changes}
        hiddenCount={items.length - changes.length}
        note={note}
        guarded={isGuarded && first !== undefined ? proposals.guardedHint(first.place.environment) : undefined}
      />
    ),
    action: isGuarded ? proposals.action : action,
    isDanger: !isGuarded && isDanger === true,
    ...(other === undefined ? {} : { other }),
  }
}

/** Builds the confirmation question that is shown before a flag is turned on or off. */
async function buildSwitchQuestion(
  change: PlannedChange | undefined,
  resources: Resources,
): Promise<NonNullable<LiveChange['question']>> {
  const { t, language, editStrategy } = resources
  const texts = GO_LIVE_TEXTS[language]
  if (change === undefined) return { title: t.common.save, action: t.common.save }
  const { place, now, edits } = change
  const { isOn, strategies } = applyEdits(now, edits)
  if (!isOn) {
    return { title: t.flags.confirmOff(place.feature, place.environment), action: t.flags.turnOff, isDanger: true }
  }
  const serving = listEnabledStrategies({ isOn, strategies })
  const audience = await describeAudience(serving, resources)
  return {
    title: texts.turnOn(place.feature, audience, place.environment),
    action: t.flags.turnOn,
    other: { label: texts.editFirst, run: () => editStrategy(place, serving[0]?.id) },
  }
}

/** Describes the users who match the strategies, for use within a title. */
async function describeAudience(serving: readonly DescribedStrategy[], { queries, language }: Resources) {
  const texts = GO_LIVE_TEXTS[language]
  const words = STRATEGY_TEXTS[language]
  const [only] = serving
  if (only === undefined || serving.length > 1) return texts.several(serving.length)
  const segments = only.segments.length === 0 ? [] : await queries.fetchQuery(SEGMENTS)
  const nameOf = (id: number) => segments.find((segment) => segment.id === id)?.name ?? `#${id}`
  const sentence = describeStrategy(words, { ...only, variants: [] }, nameOf)
  if (sentence === words.sentence.everybody) return texts.everybody
  return sentence.length > MAX_AUDIENCE_LENGTH ? texts.several(1) : texts.inSentence(sentence)
}
