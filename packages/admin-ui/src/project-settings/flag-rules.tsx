import type { FlagRules, FlagRulesInput } from '@burgee/protocol/project'
import { Group, TextInput } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

/** Form values for the flag rules; a rule that is not set is empty. */
export interface RulesDraft {
  readonly pattern: string
  readonly example: string
  readonly meaning: string
  readonly limit: string
}

/** Returns the form values of a project's flag rules. */
export function toRulesDraft({ featureNaming, featureLimit }: FlagRules): RulesDraft {
  const { pattern, example, description } = featureNaming
  return {
    pattern: pattern ?? '',
    example: example ?? '',
    meaning: description ?? '',
    limit: featureLimit === null ? '' : String(featureLimit),
  }
}

type RulesInput = Required<Pick<FlagRulesInput, 'featureNaming' | 'featureLimit'>>

/** Returns the request body; undefined if the limit is not an integer. */
export function toRulesInput({ pattern, example, meaning, limit }: RulesDraft): RulesInput | undefined {
  if (!/^\d{0,9}$/.test(limit.trim())) return undefined
  return {
    featureNaming: pattern === '' ? null : { pattern, example, description: meaning },
    featureLimit: limit.trim() === '' ? null : Number(limit),
  }
}

interface Props {
  readonly draft: RulesDraft
  readonly put: (change: Partial<RulesDraft>) => void
}

/**
 * Fields for the naming pattern and the maximum number of flags. The field that describes the pattern appears once a
 * pattern has been entered.
 */
export function FlagRulesFields({ draft, put }: Props) {
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { pattern, example, meaning, limit } = draft
  return (
    <>
      <TextInput
        label={own.pattern}
        description={own.patternHint}
        value={pattern}
        maxLength={500}
        classNames={{ input: ui.mono ?? '' }}
        onChange={(event) => put({ pattern: event.currentTarget.value })}
      />
      {pattern !== '' && (
        <Group grow align="start">
          <TextInput
            label={own.patternExample}
            value={example}
            maxLength={100}
            onChange={(event) => put({ example: event.currentTarget.value })}
          />
          <TextInput
            label={own.patternMeaning}
            value={meaning}
            maxLength={5000}
            onChange={(event) => put({ meaning: event.currentTarget.value })}
          />
        </Group>
      )}
      <TextInput
        label={own.limit}
        description={own.limitHint}
        value={limit}
        inputMode="numeric"
        error={toRulesInput(draft) === undefined && own.limitBad}
        onChange={(event) => put({ limit: event.currentTarget.value })}
      />
    </>
  )
}
