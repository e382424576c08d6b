/** How far a pointer must move before it drags, in pixels. A finger must rest first, because moving it at once scrolls. */
const thresholdPx = 6
const restMs = 350
const edgePx = 48
const scrollPx = 10

interface DragOptions {
  card: HTMLElement
  /** Scrolls sideways while a card is held at its edge. */
  board: HTMLElement
  /** Called with the stage under the pointer whenever it changes. */
  onOver(stageId: string | undefined): void
  onDrop(stageId: string): void
  /** Called when the drag starts; the returned function is called when it ends. */
  onLift(): () => void
}

/** Drags a card by pointer, starting with this event: a mouse after the threshold, a finger after a rest, or at once by the card's handle. */
export function beginDrag(down: PointerEvent, options: DragOptions): void {
  if (!down.isPrimary) return
  let drag: Drag | undefined
  const needsRest = down.pointerType === 'touch' && !(down.target as Element).closest('button')
  const timer = needsRest ? setTimeout(start, restMs) : undefined
  const held = new AbortController()
  const on = <K extends keyof DocumentEventMap>(type: K, handle: (event: DocumentEventMap[K]) => void) =>
    document.addEventListener(type, handle, { signal: held.signal })
  const ofPointer = (handle: (event: PointerEvent) => void) => (event: PointerEvent) => {
    if (event.pointerId === down.pointerId) handle(event) // another finger, or the palm, drops nothing
  }
  on('pointermove', ofPointer(move))
  on('pointerup', ofPointer(drop))
  on('pointercancel', ofPointer(end))
  on('contextmenu', (event) => drag && event.preventDefault()) // a long press on a link opens it
  on('keydown', (event) => event.key === 'Escape' && end())

  function start(): void {
    drag = lift(down, options)
  }

  function move(event: PointerEvent): void {
    if (!drag) {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < thresholdPx) return
      if (needsRest) end()
      else start()
    }
    drag?.moveTo(event)
  }

  function drop(event: PointerEvent): void {
    drag?.moveTo(event)
    const target = drag?.look()
    if (drag) preventNextClick()
    end()
    if (target) options.onDrop(target)
  }

  function end(): void {
    clearTimeout(timer)
    held.abort()
    drag?.end()
  }
}

/** Stops the board from scrolling under the finger that drags a card. Some browsers need the listener before the touch. Returns a function that removes it. */
export function preventTouchScroll(board: HTMLElement): () => void {
  const hold = (event: Event) => board.classList.contains('dragging') && event.preventDefault()
  board.addEventListener('touchmove', hold, { passive: false })
  return () => board.removeEventListener('touchmove', hold)
}

interface Drag {
  moveTo(event: PointerEvent): void
  /** Returns the stage under the pointer. */
  look(): string | undefined
  end(): void
}

/** A copy of the card follows the pointer above the page: the card itself cannot leave its column, which scrolls. */
function lift(down: PointerEvent, { card, board, onOver, onLift }: DragOptions): Drag {
  const release = onLift()
  const ghost = ghostOf(card)
  card.querySelector('button')!.focus({ preventScroll: true })
  let [x, y] = [down.clientX, down.clientY]
  let target: string | undefined
  let frame = requestAnimationFrame(follow)
  card.classList.add('lifted')
  board.classList.add('dragging')
  return {
    look,
    moveTo(event) {
      x = event.clientX
      y = event.clientY
      ghost.style.transform = `translate(${x - down.clientX}px, ${y - down.clientY}px) rotate(1.5deg)`
    },
    end() {
      cancelAnimationFrame(frame)
      ghost.remove()
      card.classList.remove('lifted')
      board.classList.remove('dragging')
      onOver(undefined)
      release()
    },
  }

  function follow(): void {
    scrollAtEdge(board, x)
    look()
    frame = requestAnimationFrame(follow)
  }

  function look(): string | undefined {
    const over = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-stage]')?.dataset.stage
    if (over !== target) onOver(over)
    target = over
    return over
  }
}

function ghostOf(card: HTMLElement): HTMLElement {
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

/** Ignores the next click: otherwise releasing the pointer over a link would follow it. */
function preventNextClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}
