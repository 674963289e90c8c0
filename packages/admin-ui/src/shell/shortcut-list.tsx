import { Kbd } from '@mantine/core'
import { useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import styles from '../ui/ui.module.css'

/** Dialog with the keyboard shortcuts. */
export function ShortcutList({ close }: { close: () => void }) {
  const t = useTexts()
  const rows: [string[], string][] = [
    [['Ctrl', 'K'], t.keys.palette],
    [['?'], t.keys.help],
    [['/'], t.keys.search],
    [['g', 'h'], t.keys.home],
    [['g', 'f'], t.keys.flags],
    [['g', 's'], t.keys.segments],
    [['g', 'p'], t.keys.playground],
    [['g', 'e'], t.keys.events],
    [['g', 'n'], t.keys.notifications],
    [['c'], t.keys.create],
    [['↑', '↓'], t.keys.rows],
    [['x'], t.keys.select],
    [['Shift', 'x'], t.keys.selectRange],
  ]
  return (
    <Dialog close={close} title={t.keys.title} size="md">
      <table className={styles.table}>
        <tbody>
          {rows.map(([keys, text]) => (
            <tr key={text}>
              <td>
                {keys.map((key) => (
                  <Kbd key={key} me={4}>
                    {key}
                  </Kbd>
                ))}
              </td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
