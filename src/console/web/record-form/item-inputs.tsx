import { Plus } from 'lucide'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import type { Values } from '../data/form-merge.ts'
import { askedOf, isItemFilled, newItem } from '../data/item-values.ts'
import { ItemField } from '../forms/item-field.tsx'
import type { FormState } from '../forms/use-form.ts'
import { Icon } from '../parts/icon.tsx'
import { resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { about } from '../text/texts.ts'
import { Removable } from './removable.tsx'

interface ItemInputsProps {
  of: string
  /** `emails` */
  name: string
  form: FormState<Values>
}

/** The items of a new record. Those that stay empty are not sent. */
export function ItemInputs({ of, name, form }: ItemInputsProps) {
  const collection = resourceOf(of).collections[name]!
  const { label } = collection
  const items = form.values[name] as Values[]
  const onItems = (next: Values[]) => form.set({ [name]: next })
  const { box, keys, added, removed } = useRows(items.length)
  const change = (at: number, values: Values) =>
    onItems(items.map((item, index) => (index === at ? { ...item, ...values } : item)))
  const isSent = (item: Values) => isItemFilled(collection, item)
  /** The place among those that are sent, which the errors of the server name. */
  const sentAt = (at: number) => items.slice(0, at).filter(isSent).length
  const faultAt = (at: number, field: string) =>
    isSent(items[at]!) ? form.fault(`${name}[${sentAt(at)}].${field}`) : undefined
  const input = (field: DescribedField, item: Values, at: number) => (
    <ItemField
      key={field.name}
      {...{ collection, field, item }}
      value={item[field.name] ?? null}
      onValue={(value) => change(at, { [field.name]: value })}
      fault={faultAt(at, field.name)}
    />
  )
  return (
    <fieldset class="stack tight" ref={box}>
      <legend class="unseen">{word(name)}</legend>
      {items.map((item, at) => (
        <Removable
          key={keys[at]}
          label={about('Remove this {noun}', label)}
          onRemove={() => {
            onItems(items.filter((_, index) => index !== at))
            removed(at)
          }}
        >
          {askedOf(collection).map((field) => input(field, item, at))}
        </Removable>
      ))}
      <div>
        <button
          type="button"
          class="button small"
          onClick={() => {
            onItems([...items, newItem(collection)])
            added()
          }}
        >
          <Icon of={Plus} /> {about('Add {noun}', label)}
        </button>
      </div>
    </fieldset>
  )
}

/** Keys of rows, whose inputs have texts of their own. A new row gets the focus; after a removal, the next button does. */
function useRows(count: number) {
  const [keys, setKeys] = useState(() => Array.from({ length: count }, (_, at) => at))
  const next = useRef(count)
  const box = useRef<HTMLFieldSetElement>(null)
  const focused = useRef<() => Element | null | undefined>(undefined)
  useLayoutEffect(() => {
    const element = focused.current?.()
    focused.current = undefined
    if (element instanceof HTMLElement) element.focus()
  }, [keys])
  return {
    ...{ box, keys },
    added() {
      setKeys([...keys, next.current++])
      focused.current = () => box.current!.querySelector('.item:nth-last-child(2) :is(input, select, textarea)')
    },
    removed(at: number) {
      setKeys(keys.filter((_, index) => index !== at))
      focused.current = () => box.current!.querySelectorAll(':scope > div > button')[at]
    },
  }
}
