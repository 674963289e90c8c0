import { Kbd, Modal } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useTexts } from '../text/texts.tsx'
import { areKeysShown, onKeysShown, showKeys } from './keys-store.ts'
import styles from './ui.module.css'
import { useFocusBack } from './use-focus-back.ts'

/** The list of keys. */
export function KeyList() {
  const t = useTexts()
  useFocusBack()
  const isOpen = useSyncExternalStore(onKeysShown, areKeysShown)
  const rows: [string[], string][] = [
    [['Ctrl', 'K'], t.keys.palette],
    [['?'], t.keys.help],
    [['/'], t.keys.search],
    [['g', 'f'], t.keys.flags],
    [['g', 's'], t.keys.segments],
    [['g', 'p'], t.keys.playground],
    [['g', 'e'], t.keys.events],
    [['c'], t.keys.create],
  ]
  return (
    <Modal
      opened={isOpen}
      onClose={() => showKeys(false)}
      title={t.keys.title}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
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
    </Modal>
  )
}
