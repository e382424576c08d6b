import { Check, Copy } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { t } from '../text/texts.ts'
import { Dialog, lasting } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { T } from './rich-text.tsx'

interface NewSecret {
  title: string
  /** A sentence about what is stored of it. */
  stored: string
  text: string
  onClose?: () => void
}

/** Shows a new secret, on whatever page the user is by now. Only its button closes it: nothing shows the secret again. */
export function showSecret({ onClose, ...secret }: NewSecret): void {
  const close = () => {
    lasting.value = lasting.value.filter((each) => each !== dialog)
    onClose?.()
  }
  const dialog = <SecretDialog key={secret.text} {...secret} onClose={close} />
  lasting.value = [...lasting.value, dialog]
}

/** Shows the secret of a new key. */
export function showKey({ name, key }: { name: string; key: string }): void {
  showSecret({ title: t('{name} is ready', { name }), stored: t('Only its hash is stored.'), text: key })
}

function SecretDialog({ title, stored, text, onClose }: NewSecret) {
  return (
    <Dialog title={title}>
      <p>
        <T
          text="Copy it now and keep it somewhere safe. It is {once}."
          once={<strong>{t('shown only once')}</strong>}
        />{' '}
        {stored}
      </p>
      <Secret text={text} />
      <div class="actions">
        <button type="button" class="button primary" onClick={onClose}>
          {t('I have saved it')}
        </button>
      </div>
    </Dialog>
  )
}

/** A text that is to be copied. */
export function Secret({ text }: { text: string }) {
  const code = useRef<HTMLElement>(null)
  const [copied, setCopied] = useState<string>()
  const copy = async () => {
    getSelection()!.selectAllChildren(code.current!) // so that the keyboard can copy it if nothing else works
    setCopied((await write(text)) ? text : undefined)
  }
  const isCopied = copied === text
  return (
    <div class="secret">
      <code ref={code}>{text}</code>
      <button type="button" class="button small" onClick={copy}>
        <Icon of={isCopied ? Check : Copy} /> {isCopied ? t('Copied') : t('Copy')}
      </button>
      <span class="unseen" role="status">
        {isCopied && t('Copied to the clipboard')}
      </span>
    </div>
  )
}

/** Browsers allow clipboard access over HTTPS and on localhost. Elsewhere they can still copy the selection. */
async function write(text: string): Promise<boolean> {
  const { clipboard } = navigator as Partial<Navigator>
  if (!clipboard) return document.execCommand('copy')
  return clipboard.writeText(text).then(
    () => true,
    () => document.execCommand('copy'),
  )
}
