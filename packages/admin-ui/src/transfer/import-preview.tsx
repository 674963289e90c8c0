import type { FeatureImport, SegmentFinding } from '@burgee/protocol/administration/feature-transfer'
import { Text, Title } from '@mantine/core'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { type ImportedFlag, previewFlags } from './flag-document.ts'
import { TRANSFER_TEXTS } from './texts.ts'

const MAX_SHOWN = 20

interface Props {
  readonly input: FeatureImport
  readonly segments: readonly SegmentFinding[]
  /** Names of skipped flags. */
  readonly left: readonly string[]
}

/** List of imported flags with their resulting state and audience. Enabled flags come first. */
export function ImportPreview({ input, segments, left }: Props) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const { number } = useFormat()
  const passed = new Set(left)
  const flags = previewFlags(input).filter(({ name }) => !passed.has(name))
  const sorted = [...flags].sort((a, b) => rankState(a) - rankState(b))
  const on = flags.filter(({ isOn }) => isOn === true).length
  const sayStrategy = useStrategyTexts(input, segments)
  const stateOf = ({ isOn }: ImportedFlag): string => (isOn === undefined ? t.unchanged : isOn ? t.on : t.off)
  if (flags.length === 0) return null
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        {t.willBeOn(on, number(on), number(flags.length))}
      </Title>
      <Table label={t.preview} columns={[t.flag, t.state, t.whoGetsIt]} isDense>
        {sorted.slice(0, MAX_SHOWN).map((flag) => (
          <tr key={flag.name}>
            <th scope="row">{flag.name}</th>
            <td className={ui.short}>{stateOf(flag)}</td>
            <td>
              {flag.strategies.length === 0 && '–'}
              {flag.strategies.map((strategy, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: strategies of a document can lack an id and be equal
                <div key={index}>{sayStrategy(strategy)}</div>
              ))}
            </td>
          </tr>
        ))}
      </Table>
      {sorted.length > MAX_SHOWN && <Text size="sm">{t.andMore(sorted.length - MAX_SHOWN)}</Text>}
    </div>
  )
}

const rankState = ({ isOn }: ImportedFlag): number => (isOn === true ? 0 : isOn === undefined ? 1 : 2)

/**
 * Returns a function that describes an imported strategy in one sentence. Segments are called by their names in the
 * imported file. If a segment would match everyone on this server, the sentence points this out.
 */
function useStrategyTexts({ data, createMissingSegments = false }: FeatureImport, segments: readonly SegmentFinding[]) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const names = new Map((data.segments ?? []).map(({ id, name }) => [id, name]))
  const getConstraints = ({ here, coming }: SegmentFinding) => here ?? (createMissingSegments ? coming : null)
  const open = new Set(segments.filter((one) => getConstraints(one)?.length === 0).map(({ name }) => name))
  const segmentName = (id: number): string => {
    const name = names.get(id) ?? `#${id}`
    return open.has(name) ? `${name} (${t.everybodyIsIn})` : name
  }
  return ({ title, disabled, parameters = {}, ...rest }: ImportedFlag['strategies'][number]): string => {
    const sentence = describeStrategy(
      words,
      { ...rest, parameters } as Parameters<typeof describeStrategy>[1],
      segmentName,
    )
    return `${title ? `${title}: ` : ''}${sentence}${disabled ? ` (${t.disabled})` : ''}`
  }
}
