import type { AdminFeature, FeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { QueryClient } from '@tanstack/react-query'
import { type FlagEnvironment, fetchFlagEnvironment } from '../api/flags.ts'
import { getFlagQuery, SEGMENTS } from '../api/queries.ts'
import { listEnabledStrategies } from '../impact/edit-effect.ts'
import { PROPOSAL_TEXTS } from '../proposals/texts.ts'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import type { Texts } from '../text/en.ts'
import type { Language } from '../text/languages.ts'
import type { Question } from '../ui/dialog/question.ts'
import { applyEdit, type EditableFlag, type LiveEdit } from './flag-edit.ts'
import { GoLiveDetails } from './go-live-details.tsx'
import { GO_LIVE_TEXTS } from './texts.ts'

/** Change of a flag that goes live, or into a draft, after confirmation. */
export interface LiveChange {
  readonly place: FlagEnvironment
  readonly edit: LiveEdit
  /** Question and label of the button for other changes than turning a flag on or off. */
  readonly question?: { readonly title: string; readonly action: string; readonly isDanger?: boolean }
  /** Further text about the change. */
  readonly note?: string
  /** True if the environment takes changes only by change request. */
  readonly isGuarded: boolean
}

interface Resources {
  readonly queries: QueryClient
  readonly t: Texts
  readonly language: Language
  readonly hasImpact: boolean
  /** Opens the editor of a strategy; of a new one if undefined. */
  readonly editStrategy: (place: FlagEnvironment, id: string | undefined) => void
}

/** Longest audience in a title, in characters. */
const MAX_AUDIENCE_LENGTH = 70

/** Builds the question before a change goes live. Rejects with ApiError if the flag cannot be read. */
export async function buildGoLiveQuestion(change: LiveChange, resources: Resources): Promise<Question> {
  const { place, edit, isGuarded, question } = change
  const { queries, t, language, editStrategy, hasImpact } = resources
  const texts = GO_LIVE_TEXTS[language]
  const proposals = PROPOSAL_TEXTS[language]
  const { flag, now } = await readFlag(queries, place, edit)
  const isOn = edit.enabled === true
  const audience = isOn ? await describeAfter(now, change, resources) : ''
  const title = isOn
    ? texts.turnOn(place.feature, audience, place.environment)
    : t.flags.confirmOff(place.feature, place.environment)
  const action = question?.action ?? (isOn ? t.flags.turnOn : t.flags.turnOff)
  const [first] = listEnabledStrategies(applyEdit(now, edit))
  return {
    title: question?.title ?? title,
    text: (
      <GoLiveDetails
        place={place}
        flag={flag}
        now={now}
        edit={edit}
        note={change.note}
        guarded={isGuarded ? proposals.guardedHint(place.environment) : undefined}
        hasImpact={hasImpact}
      />
    ),
    action: isGuarded ? proposals.action : action,
    isDanger: !isGuarded && (question?.isDanger ?? !isOn),
    ...(isOn ? { other: { label: texts.editFirst, run: () => editStrategy(place, first?.id) } } : {}),
  }
}

async function readFlag(
  queries: QueryClient,
  place: FlagEnvironment,
  edit: LiveEdit,
): Promise<{ readonly flag: AdminFeature; readonly now: EditableFlag }> {
  // The state in an environment names the strategy that turning the flag on would add.
  const [flag, state] = await Promise.all([
    queries.fetchQuery(getFlagQuery(place)),
    edit.enabled === true ? fetchFlagEnvironment(place) : undefined,
  ])
  const there = flag.environments.find(({ name }) => name === place.environment)
  const now: EditableFlag | FeatureEnvironment | undefined = state ?? there
  return { flag, now: now ?? { enabled: false, strategies: [] } }
}

/** Describes who gets the flag after the change, as part of a title. */
async function describeAfter(now: EditableFlag, { edit }: LiveChange, { queries, language }: Resources) {
  const texts = GO_LIVE_TEXTS[language]
  const words = STRATEGY_TEXTS[language]
  const serving = listEnabledStrategies(applyEdit(now, edit))
  const [only] = serving
  if (only === undefined || serving.length > 1) return texts.several(serving.length)
  const segments = only.segments.length === 0 ? [] : await queries.fetchQuery(SEGMENTS)
  const nameOf = (id: number) => segments.find((segment) => segment.id === id)?.name ?? `#${id}`
  const sentence = describeStrategy(words, { ...only, variants: [] }, nameOf)
  if (sentence === words.sentence.everybody) return texts.everybody
  return sentence.length > MAX_AUDIENCE_LENGTH ? texts.several(1) : texts.inSentence(sentence)
}
