import type { Route } from '../http/route.ts'
import { describeApi } from '../openapi/document.ts'
import type { Schema } from '../openapi/schema.ts'
import { pageRoutes } from '../page/page-routes.ts'
import { authRoutes } from './auth.ts'
import { contentRoutes } from './content.ts'
import type { RouteContext } from './context.ts'
import { conversationRoutes } from './conversations.ts'
import { insightRoutes } from './insight.ts'
import { messageRoutes } from './messages.ts'
import { operationRoutes } from './operations.ts'
import { peopleRoutes } from './people.ts'
import { sessionRoutes } from './sessions.ts'
import { tokenRoutes } from './tokens.ts'

/** The table of routes. Requests are answered from it, and the API's description is made from it. */
export function allRoutes(context: RouteContext): Route[] {
  const { version } = context.inside.options
  const described = new Map<string, Schema>()
  const describe = (url: string) => {
    const known = described.get(url) ?? describeApi(routes, { version, url })
    // By how many names we are known is not for clients to decide.
    if (described.size < 16) described.set(url, known)
    return known
  }
  const routes: Route[] = [
    ...conversationRoutes(context),
    ...messageRoutes(context),
    ...insightRoutes(context),
    ...sessionRoutes(context),
    ...contentRoutes(context),
    ...authRoutes(context),
    ...tokenRoutes(context),
    ...peopleRoutes(context),
    ...operationRoutes(context, describe),
    ...pageRoutes(version),
  ]
  return routes
}
