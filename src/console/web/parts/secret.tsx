import { Check, Copy } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** A text that is shown this once, to be copied. */
export function Secret({ text }: { text: string }) {
  const code = useRef<HTMLElement>(null)
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    getSelection()!.selectAllChildren(code.current!) // ready for the keyboard, should all else fail
    setCopied(await write(text))
  }
  return (
    <div class="secret">
      <code ref={code}>{text}</code>
      <button type="button" class="button small" onClick={copy}>
        <Icon of={copied ? Check : Copy} /> {copied ? 'Copied' : 'Copy'}
      </button>
      <span class="unseen" role="status">
        {copied && 'Copied to the clipboard'}
      </span>
    </div>
  )
}

/** Browsers give pages the clipboard over HTTPS and on the same machine; elsewhere they still copy what is selected. */
async function write(text: string): Promise<boolean> {
  const { clipboard } = navigator as Partial<Navigator>
  if (!clipboard) return document.execCommand('copy')
  return clipboard.writeText(text).then(
    () => true,
    () => document.execCommand('copy'),
  )
}
