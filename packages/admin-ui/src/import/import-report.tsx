import type { ImportNote, ImportPlan, ImportResult } from '@burgee/protocol/administration/import'
import { Alert, Stack, Text } from '@mantine/core'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { IMPORT_TEXTS } from './texts.ts'

const MAX_SHOWN = 50
const ORDER = ['approximated', 'not carried', 'exact'] as const

type Report = Pick<ImportPlan, 'counts' | 'notes'>

/** Counts of imported resources by kind, with notes on single resources. */
export function ImportReport({ report }: { report: Report }) {
  return (
    <Stack>
      <Counts counts={report.counts} />
      {ORDER.map((fidelity) => (
        <Notes key={fidelity} fidelity={fidelity} notes={report.notes.filter((note) => note.fidelity === fidelity)} />
      ))}
    </Stack>
  )
}

function Counts({ counts }: Pick<Report, 'counts'>) {
  const t = useCatalogue(IMPORT_TEXTS)
  const { number } = useFormat()
  if (counts.length === 0) return <Text>{t.nothing}</Text>
  const columns = [t.kind, { number: t.found }, { number: t.imported }, { number: t.skipped }]
  return (
    <Table label={t.plan} columns={columns} isDense>
      {counts.map(({ kind, found, imported, skipped }) => (
        <tr key={kind}>
          <th scope="row">{t.kinds[kind] ?? kind}</th>
          <td className={ui.number}>{number(found)}</td>
          <td className={ui.number}>{number(imported)}</td>
          <td className={ui.number}>{number(skipped)}</td>
        </tr>
      ))}
    </Table>
  )
}

function Notes({ fidelity, notes }: { fidelity: ImportNote['fidelity']; notes: readonly ImportNote[] }) {
  const t = useCatalogue(IMPORT_TEXTS)
  const { number } = useFormat()
  if (notes.length === 0) return null
  const rest = notes.length - MAX_SHOWN
  return (
    <Section title={t.noteTitle(t.notes[fidelity], number(notes.length))}>
      <Table label={t.notes[fidelity]} columns={[t.kind, t.name, t.note]} isDense>
        {notes.slice(0, MAX_SHOWN).map(({ kind, name, words }) => (
          <tr key={`${kind} ${name} ${words}`}>
            <td className={ui.short}>{t.kinds[kind] ?? t.other}</td>
            <th scope="row">{name}</th>
            <td lang="en">{words}</td>
          </tr>
        ))}
      </Table>
      {rest > 0 && <Text c="dimmed">{t.moreNotes(number(rest))}</Text>}
    </Section>
  )
}

/** Result of comparing the imported flags with those of the source. */
export function Verdict({ verified }: Pick<ImportResult, 'verified'>) {
  const t = useCatalogue(IMPORT_TEXTS)
  const { number } = useFormat()
  const { equal, flags, contexts, environments, differences, told: reported, failure } = verified
  const [first] = differences
  return (
    <Alert color={equal ? 'teal' : 'yellow'} title={t.done} role="status">
      {failure !== undefined && (
        <>
          {t.notCompared} <span lang="en">{failure}</span>
        </>
      )}
      {equal && (flags === 0 ? t.compared : t.equal(number(flags), number(contexts), number(environments)))}
      {reported.length > 0 && <p>{t.told(reported.slice(0, MAX_SHOWN).join(', '))}</p>}
      {first !== undefined && (
        <>
          {t.differs}
          <ul>
            {differences.slice(0, MAX_SHOWN).map(({ environment, flag, words }) => (
              <li key={`${environment} ${flag}`}>
                <strong>{t.difference(flag, environment)}</strong>: <span lang="en">{words}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  )
}
