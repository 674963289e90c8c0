import type { FlagRules, FlagRulesInput } from '@burgee/protocol/project'
import { Group, TextInput } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

/** What people write of the rules for flags; empty for none. */
export interface RulesDraft {
  readonly pattern: string
  readonly example: string
  readonly meaning: string
  readonly limit: string
}

/** The rules of a project, to change. */
export function rulesDraftOf({ featureNaming, featureLimit }: FlagRules): RulesDraft {
  const { pattern, example, description } = featureNaming
  return {
    pattern: pattern ?? '',
    example: example ?? '',
    meaning: description ?? '',
    limit: featureLimit === null ? '' : String(featureLimit),
  }
}

type RulesSent = Required<Pick<FlagRulesInput, 'featureNaming' | 'featureLimit'>>

/** What is sent; undefined while the limit is no whole number. */
export function rulesInputOf({ pattern, example, meaning, limit }: RulesDraft): RulesSent | undefined {
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

/** How flags must be called, and how many there may be; what a pattern means is asked for once there is one. */
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
        error={rulesInputOf(draft) === undefined && own.limitBad}
        onChange={(event) => put({ limit: event.currentTarget.value })}
      />
    </>
  )
}
