package githubtest

import (
	"net/http"
	"slices"
	"strconv"
)

func hookRoutes() map[string]route {
	return map[string]route{
		"apps/get-webhook-config-for-app": {app: true, handle: getHookConfig},
		"apps/list-webhook-deliveries":    {app: true, handle: listDeliveries},
		"apps/get-webhook-delivery":       {app: true, handle: getDelivery},
		"apps/redeliver-webhook-delivery": {app: true, handle: redeliver},
	}
}

func getHookConfig(c *call) reply {
	return ok(obj{"url": c.s.webhookURL, "content_type": "json", "insecure_ssl": "0", "secret": "********"})
}

func (d *delivery) object() obj {
	orNil := func(id int64) any {
		if id == 0 {
			return nil
		}
		return id
	}
	var action any
	if d.Action != "" {
		action = d.Action
	}
	return obj{
		"id": d.ID, "guid": d.GUID, "delivered_at": stamp(d.at), "redelivery": d.Redelivery, "duration": d.Duration.Seconds(), "status": d.Status,
		"status_code": d.StatusCode, "event": d.Event, "action": action, "installation_id": orNil(d.installationID), "repository_id": orNil(d.repositoryID),
		"throttled_at": nil,
	}
}

// listDeliveries goes back in time; the cursor is the id after which to go on.
func listDeliveries(c *call) reply {
	cursor, _ := strconv.ParseInt(c.query("cursor"), 10, 64)
	size := min(atLeast(1, c.query("per_page"), 30), MaxPerPage)
	out, header := []obj{}, http.Header{}
	for _, d := range slices.Backward(c.s.deliveries) {
		failed := d.StatusCode/100 != 2
		if (cursor != 0 && d.ID >= cursor) || (c.query("status") == "success" && failed) || (c.query("status") == "failure" && !failed) {
			continue
		}
		if len(out) == size {
			q := c.r.URL.Query()
			q.Set("cursor", strconv.FormatInt(out[size-1]["id"].(int64), 10))
			header.Set("Link", "<"+c.address()+"?"+q.Encode()+`>; rel="next"`)
			break
		}
		out = append(out, d.object())
	}
	return reply{status: http.StatusOK, body: out, header: header}
}

func getDelivery(c *call) reply {
	d := c.s.findDelivery(c.id("delivery_id"))
	if d == nil {
		return notFound()
	}
	o := d.object()
	o["url"] = d.url
	headers := obj{}
	for name, value := range c.s.deliveryHeaders(d) {
		headers[name] = value
	}
	o["request"] = obj{"headers": headers, "payload": d.Payload}
	o["response"] = obj{"headers": obj{}, "payload": d.Response}
	return ok(o)
}

// redeliver answers at once and delivers later, as GitHub does.
func redeliver(c *call) reply {
	d := c.s.redelivery(c.id("delivery_id"))
	if d == nil {
		return notFound()
	}
	c.s.later.Go(func() { c.s.deliver(d) })
	return reply{status: http.StatusAccepted, body: obj{}}
}
