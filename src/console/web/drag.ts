/** How far a pointer has to go before it drags, in pixels; a finger has to rest first, so that it can scroll. */
const thresholdPx = 6
const restMs = 350
const edgePx = 48
const scrollPx = 10

interface DragOptions {
  card: HTMLElement
  /** What scrolls sideways while a card is held at its edge. */
  board: HTMLElement
  /** The stage under the pointer, each time it is another one. */
  onOver(stageId: string | undefined): void
  onDrop(stageId: string): void
  /** Called when the card is lifted; what it answers, when it is put down. */
  onLift(): () => void
}

/** Drags a card by pointer, beginning with this event: from the threshold on, or after a finger has rested on it; by its grip at once. */
export function beginDrag(down: PointerEvent, options: DragOptions): void {
  if (!down.isPrimary) return
  let carried: Carried | undefined
  const restless = down.pointerType === 'touch' && !(down.target as Element).closest('button')
  const timer = restless ? setTimeout(start, restMs) : undefined
  const held = new AbortController()
  const on = <K extends keyof DocumentEventMap>(type: K, handle: (event: DocumentEventMap[K]) => void) =>
    document.addEventListener(type, handle, { signal: held.signal })
  on('pointermove', move)
  on('pointerup', drop)
  on('pointercancel', end)
  on('contextmenu', (event) => carried && event.preventDefault()) // what a finger that rests on a link calls for
  on('keydown', (event) => event.key === 'Escape' && end())

  function start(): void {
    carried = lift(down, options)
  }

  function move(event: PointerEvent): void {
    if (!carried) {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < thresholdPx) return
      if (restless) end()
      else start()
    }
    carried?.moveTo(event)
  }

  function drop(event: PointerEvent): void {
    carried?.moveTo(event)
    const target = carried?.target
    if (carried) swallowClick()
    end()
    if (target) options.onDrop(target)
  }

  function end(): void {
    clearTimeout(timer)
    held.abort()
    carried?.putDown()
  }
}

/** Keeps a board where it is under the finger that carries a card; answers what ends that. Some browsers ask only who listened before the touch. */
export function holdStill(board: HTMLElement): () => void {
  const hold = (event: Event) => board.classList.contains('dragging') && event.preventDefault()
  board.addEventListener('touchmove', hold, { passive: false })
  return () => board.removeEventListener('touchmove', hold)
}

interface Carried {
  readonly target: string | undefined
  moveTo(event: PointerEvent): void
  putDown(): void
}

/** A likeness of the card follows the pointer, over everything: the card itself cannot leave its column, which scrolls. */
function lift(down: PointerEvent, { card, board, onOver, onLift }: DragOptions): Carried {
  const release = onLift()
  const ghost = likenessOf(card)
  let [x, y] = [down.clientX, down.clientY]
  let target: string | undefined
  let frame = requestAnimationFrame(scroll)
  card.classList.add('lifted')
  board.classList.add('dragging')
  return {
    get target() {
      return target
    },
    moveTo(event) {
      x = event.clientX
      y = event.clientY
      ghost.style.transform = `translate(${x - down.clientX}px, ${y - down.clientY}px) rotate(1.5deg)`
      look()
    },
    putDown() {
      cancelAnimationFrame(frame)
      ghost.remove()
      card.classList.remove('lifted')
      board.classList.remove('dragging')
      onOver(undefined)
      release()
    },
  }

  function scroll(): void {
    scrollAtEdge(board, x)
    look()
    frame = requestAnimationFrame(scroll)
  }

  function look(): void {
    const over = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-stage]')?.dataset.stage
    if (over !== target) onOver(over)
    target = over
  }
}

function likenessOf(card: HTMLElement): HTMLElement {
  const { left, top, width } = card.getBoundingClientRect()
  const ghost = card.cloneNode(true) as HTMLElement
  ghost.classList.add('ghost')
  ghost.inert = true
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` })
  document.body.append(ghost)
  return ghost
}

function scrollAtEdge(board: HTMLElement, x: number): void {
  const { left, right } = board.getBoundingClientRect()
  if (x < left + edgePx) board.scrollBy(-scrollPx, 0)
  if (x > right - edgePx) board.scrollBy(scrollPx, 0)
}

/** The release over a link would follow it. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}
