import type { Screen } from '../screen.ts'
import { closeRoom } from './close-room.ts'
import { showRooms } from './list.tsx'
import { createRoom, deleteRoom, saveRoom, showNewRoom, showRoom } from './room.tsx'

export const roomScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/rooms', show: showRooms },
  { method: 'GET', path: '/console/rooms/new', show: showNewRoom },
  { method: 'POST', path: '/console/rooms/new', show: createRoom },
  { method: 'GET', path: '/console/rooms/:id', show: showRoom },
  { method: 'POST', path: '/console/rooms/:id', show: saveRoom },
  { method: 'POST', path: '/console/rooms/:id/delete', show: deleteRoom },
  { method: 'POST', path: '/console/rooms/:id/time-off', show: closeRoom },
]
