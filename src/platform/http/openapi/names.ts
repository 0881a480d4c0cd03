/** `X-Org-Id`, `no_host_available` and `booking.created` as the name of a component: `XOrgId`, `NoHostAvailable`, `BookingCreated`. */
export function componentName(name: string): string {
  return name
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
