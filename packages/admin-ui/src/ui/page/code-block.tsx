import { Button, CopyButton } from '@mantine/core'
import { useTexts } from '../../text/texts.tsx'
import styles from '../ui.module.css'

interface Props {
  readonly code: string
  readonly label: string
  /** True to show the complete code with wrapped lines. Used for code that is shown only once. */
  readonly isWhole?: boolean
}

/** Code with a copy button. */
export function CodeBlock({ code, label, isWhole = false }: Props) {
  const t = useTexts()
  return (
    <div className={styles.codeBox}>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" className={styles.copy ?? ''} onClick={copy}>
            {copied ? t.common.copied : t.common.copy}
          </Button>
        )}
      </CopyButton>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus a scrolling region */}
      {/* biome-ignore lint/a11y/useSemanticElements: a group of lines is not a fieldset */}
      <pre className={`${styles.code} ${isWhole ? styles.whole : ''}`} tabIndex={0} role="group" aria-label={label}>
        {code}
      </pre>
    </div>
  )
}
